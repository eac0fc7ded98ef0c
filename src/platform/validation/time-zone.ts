/**
 * Names that Node accepts in addition to those of the IANA database. Postgres rejects them, or takes them for
 * another zone.
 */
const NOT_IN_IANA = new Set(
  [
    ...[
      'ACT',
      'AET',
      'AGT',
      'ART',
      'AST',
      'BET',
      'BST',
      'CAT',
      'CNT',
      'CST',
      'CTT',
      'EAT',
      'ECT',
      'IET',
      'IST',
    ],
    ...['JST', 'MIT', 'NET', 'NST', 'PLT', 'PNT', 'PRT', 'PST', 'SST', 'VST'],
    ...['Canada/East-Saskatchewan', 'US/Pacific-New'],
  ].map((name) => name.toLowerCase()),
);

function isSupported(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat(undefined, { timeZone });
    return true;
  } catch {
    return false;
  }
}

/** Newer versions of Node also take offsets such as +01:00, which have no country and no clock changes. */
export const isTimeZoneName = (value: unknown) =>
  typeof value === 'string' &&
  /^(?!systemv\/)[a-z]/i.test(value) &&
  !NOT_IN_IANA.has(value.toLowerCase()) &&
  isSupported(value);
