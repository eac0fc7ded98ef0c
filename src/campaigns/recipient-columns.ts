import { isStorableText } from '../common/storable';

/** What the calls of a campaign take, as `start call` does. */
const MAX_VARIABLES = 100;
const MAX_NAME_LENGTH = 200;

/** A Map: an object would also know `constructor`. */
const ALIASES = new Map([
  ['phonenumber', 'phone_number'],
  ['phone', 'phone_number'],
  ['number', 'phone_number'],
  ['tonumber', 'phone_number'],
  ['mobile', 'phone_number'],
  ['contactnumber', 'phone_number'],
  ['customername', 'customer_name'],
  ['name', 'customer_name'],
]);

/** Where a row has what. */
export interface RecipientColumns {
  count: number;
  phoneNumber: number;
  /** -1: the file has none. */
  customerName: number;
  variables: { name: string; index: number }[];
  /** Without a name, as spreadsheets write them beside the others: nothing may stand in them. */
  nameless: number[];
}

/** Headers that differ in case and spaces only are the same. */
const normalized = (header: string) => header.trim().toLowerCase().replace(/\s+/g, '_');

const isNameless = (header: string) => header.trim() === '';

const quoted = (text: string) => JSON.stringify(text.length > 50 ? `${text.slice(0, 50)}…` : text);

function nameProblem(header: string): string | undefined {
  if (header.length > MAX_NAME_LENGTH) return `has a name of more than ${MAX_NAME_LENGTH} characters`;
  if (!isStorableText(header)) return 'has a NUL character in its name';
  if (normalized(header) in Object.prototype) return `can not be named ${quoted(header.trim())}`;
  return undefined;
}

/**
 * Reads the columns off the header row.
 * @param spellings names of variables as the agent spells them: a column of one of these names takes its first spelling.
 * @returns or what is wrong with the header
 */
export function recipientColumns(headers: string[], spellings: string[]): RecipientColumns | string {
  const spelled = new Map(spellings.toReversed().map((name) => [normalized(name), name.trim()]));
  const columns = new Map<string, number>();
  const nameless = headers.flatMap((header, index) => (isNameless(header) ? [index] : []));
  for (const [index, header] of headers.entries()) {
    if (isNameless(header)) continue;
    const problem = nameProblem(header);
    if (problem) return `column ${index + 1} ${problem}`;
    const name = normalized(header);
    const meaning = ALIASES.get(name.replaceAll('_', '')) ?? spelled.get(name) ?? name;
    const same = columns.get(meaning);
    if (same !== undefined) return `columns ${same + 1} and ${index + 1} both mean ${quoted(meaning)}`;
    columns.set(meaning, index);
  }
  const phoneNumber = columns.get('phone_number');
  if (phoneNumber === undefined) return 'no column is named phone_number, so this is not a header';
  const customerName = columns.get('customer_name') ?? -1;
  const variables = [...columns]
    .map(([name, index]) => ({ name, index }))
    .filter(({ index }) => index !== phoneNumber && index !== customerName);
  if (variables.length > MAX_VARIABLES) return `there are more than ${MAX_VARIABLES} columns of variables`;
  return { count: headers.length, phoneNumber, customerName, variables, nameless };
}
