import { type CountryCode, getCountries, getCountryCallingCode, Metadata } from 'libphonenumber-js';

/** The facts in libphonenumber about the numbers with one calling code. */
interface NumberingPlan {
  /** The lengths of numbers without the calling code, possible in each country that shares it. */
  lengths: Set<number>;
  /** The prefixes that libphonenumber may remove, which changes the length. */
  prefix: RegExp | undefined;
}

/** The metadata has this property, but its types do not. */
interface PrefixedPlan {
  possibleLengths(): number[];
  nationalPrefixForParsing(): string | undefined;
}

function readPlan(selected: string): PrefixedPlan {
  const metadata = new Metadata();
  // The method takes calling codes too, and then selects the plan by which libphonenumber reads numbers.
  metadata.selectNumberingPlan(selected as CountryCode);
  return metadata.numberingPlan as unknown as PrefixedPlan;
}

function numberingPlan(code: string, countries: CountryCode[]): NumberingPlan {
  const prefix = readPlan(code).nationalPrefixForParsing();
  const lengths = countries.map((country) => readPlan(country).possibleLengths());
  return {
    lengths: new Set(lengths[0]?.filter((length) => lengths.every((each) => each.includes(length)))),
    prefix: prefix ? new RegExp(`^(?:${prefix})`) : undefined,
  };
}

/** The plans by calling code, except those of no country. No calling code begins with another one. */
const PLANS: NumberingPlan[] = [];
const countriesByCode = new Map<string, CountryCode[]>();
for (const country of getCountries()) {
  const code = getCountryCallingCode(country);
  countriesByCode.set(code, [...(countriesByCode.get(code) ?? []), country]);
}
for (const [code, countries] of countriesByCode) PLANS[Number(code)] = numberingPlan(code, countries);

/**
 * Whether libphonenumber finds the number possible in every country that shares its code, and nothing in it can be a
 * prefix. This takes no call of libphonenumber, which needs up to 30 µs. If false, the number may still be possible.
 * @param number E.164
 */
export function isCertainlyPossible(number: string): boolean {
  let code = 0;
  for (let end = 1; end <= 3; end += 1) {
    code = code * 10 + number.charCodeAt(end) - 48;
    const plan = PLANS[code];
    if (!plan) continue;
    if (!plan.lengths.has(number.length - end - 1)) return false;
    // A zero behind the code is a prefix, also where libphonenumber does not remove it, or belongs to the number.
    const prefix = plan.prefix?.exec(number.slice(end + 1))?.[0] ?? '';
    return prefix === '' && number[end + 1] !== '0';
  }
  return false;
}
