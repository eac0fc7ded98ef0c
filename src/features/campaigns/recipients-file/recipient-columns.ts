import { MAX_VARIABLE_NAME_LENGTH } from '../../agents/agent-texts';
import { MAX_VARIABLES } from '../../calls/model/call-request';
import { quoted as quotedText, visibleText } from '../../../platform/validation/plain-text';
import { isStorableText } from '../../../platform/validation/storable';
import { normalizeHeader, normalizeKey, matchVariables } from './variable-names';

const PHONE_NUMBER_HEADERS = ['phone_number', 'phone', 'number', 'to_number', 'mobile', 'contact_number'];
const CUSTOMER_NAME_HEADERS = ['customer_name', 'name'];
const TIMEZONE_HEADER = 'timezone';

/** The columns by key. It is not an object, which would also contain `constructor`. */
const HEADER_ALIASES = new Map([
  ...PHONE_NUMBER_HEADERS.map((header) => [normalizeKey(header), 'phone_number'] as const),
  ...CUSTOMER_NAME_HEADERS.map((header) => [normalizeKey(header), 'customer_name'] as const),
  [normalizeKey(TIMEZONE_HEADER), TIMEZONE_HEADER] as const,
]);

const NO_PHONE_NUMBERS =
  'no column has the phone numbers; name it ' +
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(PHONE_NUMBER_HEADERS);

/** The columns of a file, by index. */
export interface RecipientColumns {
  count: number;
  phoneNumber: number;
  /** The index of the column; -1 if the file has none. */
  customerName: number;
  /** The index of the column; -1 if the file has none. */
  timezone: number;
  /** Every column, under each name of its variable. */
  variables: { name: string; index: number }[];
  /** Columns without a name, as spreadsheets export them. Their cells must be empty. */
  unnamedColumns: number[];
}

const isUnnamed = (header: string) => visibleText(header).trim() === '';

const quoted = (text: string) => quotedText(text, 50);

function headerError(header: string): string | undefined {
  if (header.length > MAX_VARIABLE_NAME_LENGTH)
    return `has a name of more than ${MAX_VARIABLE_NAME_LENGTH} characters`;
  if (!isStorableText(header)) return 'has a NUL character in its name';
  if (normalizeHeader(header) in Object.prototype) return `cannot be named ${quoted(header.trim())}`;
  return undefined;
}

const bothMean = (one: number, other: number, name: string) =>
  `columns ${one + 1} and ${other + 1} both mean ${quoted(name)}`;

/** The variables that always have these names, whatever the names in the file and of the agent are. */
const standardVariables = (columns: Map<string, number>) =>
  [...columns].filter(([name]) => name === 'phone_number' || name === 'customer_name');

/**
 * @param aliases the names of variables as the agent spells them
 * @returns the columns, or the error in the header
 */
export function recipientColumns(headers: string[], aliases: string[]): RecipientColumns | string {
  const columns = new Map<string, number>();
  const unnamedColumns = headers.flatMap((header, index) => (isUnnamed(header) ? [index] : []));
  for (const [index, header] of headers.entries()) {
    if (isUnnamed(header)) continue;
    const error = headerError(header);
    if (error) return `column ${index + 1} ${error}`;
    const name = normalizeHeader(header);
    const standardName = HEADER_ALIASES.get(normalizeKey(name)) ?? name;
    const same = columns.get(standardName);
    if (same !== undefined) return bothMean(same, index, standardName);
    columns.set(standardName, index).set(name, index);
  }
  const phoneNumber = columns.get('phone_number');
  if (phoneNumber === undefined) return NO_PHONE_NUMBERS;
  const matched = matchVariables(columns, aliases);
  if ('columns' in matched) return bothMean(...matched.columns, matched.name);
  const variables = new Map([...matched, ...standardVariables(columns)]);
  if (variables.size > MAX_VARIABLES)
    return `the columns make ${variables.size} variables; the maximum is ${MAX_VARIABLES}`;
  return {
    count: headers.length,
    phoneNumber,
    customerName: columns.get('customer_name') ?? -1,
    timezone: columns.get(TIMEZONE_HEADER) ?? -1,
    variables: [...variables].map(([name, index]) => ({ name, index })),
    unnamedColumns,
  };
}
