import { MAX_VARIABLE_NAME_LENGTH } from '../agents/agent-texts';
import { MAX_VARIABLES } from '../calls/call-bounds';
import { isStorableText } from '../validation/storable';
import { loosely, normalized, variablesOf } from './variable-names';

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
  /** Every column, under each name that it fills. */
  variables: { name: string; index: number }[];
  /** Without a name, as spreadsheets write them beside the others: nothing may stand in them. */
  unnamedColumns: number[];
}

const isNameless = (header: string) => header.trim() === '';

const quoted = (text: string) => JSON.stringify(text.length > 50 ? `${text.slice(0, 50)}…` : text);

function nameProblem(header: string): string | undefined {
  if (header.length > MAX_VARIABLE_NAME_LENGTH)
    return `has a name of more than ${MAX_VARIABLE_NAME_LENGTH} characters`;
  if (!isStorableText(header)) return 'has a NUL character in its name';
  if (normalized(header) in Object.prototype) return `can not be named ${quoted(header.trim())}`;
  return undefined;
}

const bothMean = (one: number, other: number, name: string) =>
  `columns ${one + 1} and ${other + 1} both mean ${quoted(name)}`;

/** Under these names any prompt finds them, whatever the file and the agent call them. */
const canonical = (columns: Map<string, number>) =>
  [...columns].filter(([name]) => name === 'phone_number' || name === 'customer_name');

/**
 * Reads the columns off the header row.
 * @param spellings names of variables as the agent spells them
 * @returns or what is wrong with the header
 */
export function recipientColumns(headers: string[], spellings: string[]): RecipientColumns | string {
  const columns = new Map<string, number>();
  const unnamedColumns = headers.flatMap((header, index) => (isNameless(header) ? [index] : []));
  for (const [index, header] of headers.entries()) {
    if (isNameless(header)) continue;
    const problem = nameProblem(header);
    if (problem) return `column ${index + 1} ${problem}`;
    const name = normalized(header);
    const meaning = ALIASES.get(loosely(name)) ?? name;
    const same = columns.get(meaning);
    if (same !== undefined) return bothMean(same, index, meaning);
    columns.set(meaning, index).set(name, index);
  }
  const phoneNumber = columns.get('phone_number');
  if (phoneNumber === undefined) return 'no column is named phone_number, so this is not a header';
  const found = variablesOf(columns, spellings);
  if ('columns' in found) return bothMean(...found.columns, found.name);
  const variables = new Map([...found, ...canonical(columns)]);
  if (variables.size > MAX_VARIABLES)
    return `the columns are ${variables.size} variables, and a call takes ${MAX_VARIABLES} at most`;
  return {
    count: headers.length,
    phoneNumber,
    customerName: columns.get('customer_name') ?? -1,
    variables: [...variables].map(([name, index]) => ({ name, index })),
    unnamedColumns,
  };
}
