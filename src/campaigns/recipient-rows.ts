import { isUtf8 } from 'node:buffer';
import { MAX_CUSTOMER_NAME_LENGTH, MAX_VARIABLE_LENGTH } from '../calls/call-request';
import { type DestinationRules, isAllowedDestination } from '../calls/destinations';
import { isStorableText } from '../validation/storable';
import { isE164 } from '../validation/phone-number';
import { recipientColumns, type RecipientColumns } from './recipient-columns';
import { recipientLine } from './recipient-line';
import { ZoneNames } from './zone-names';
import type { RowErrors } from '../validation/row-errors';

/** Recipients, as lines of COPY: row number, phone number, customer name, variables and time zone. */
export interface RecipientLines {
  text: string;
  count: number;
  /** The row of the first one; 0 if there is none. */
  firstRow: number;
  /** With the last lines: the zones of all recipients, with '' for those without one. */
  zones?: string[];
  /** With the last lines: rows below the header, including empty ones. */
  rows?: number;
}

/** Plain data, so that it can be sent to another process. */
export interface ReaderOptions {
  /** The names of variables as the agent spells them. */
  variableAliases?: string[];
  /** Every destination is allowed without them. */
  destinations?: DestinationRules;
  /** Below the header, including empty rows. */
  maxRows?: number;
}

/** A call has a hundred variables at most; the other columns may be unnamed. */
const MAX_COLUMNS = 200;

/** Text that is not valid UTF-8 is split as Latin-1, in which every byte is valid. Its fields are decoded here. */
function decodeUtf8(latin1: string): string | undefined {
  if (!/[\u0080-\u00ff]/.test(latin1)) return latin1;
  const bytes = Buffer.from(latin1, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/** Makes a line of COPY, or an error, of each row of a file. */
export class RecipientRows {
  private columns: RecipientColumns | undefined;
  private headers: string[] = [];
  private readonly zones = new ZoneNames();
  private lineOf: ReturnType<typeof recipientLine>;
  private lines: RecipientLines = { text: '', count: 0, firstRow: 0 };

  /** Rows so far, including the header and empty rows. */
  count = 0;
  /** Rows with recipients so far, including those with errors. */
  found = 0;

  constructor(
    private readonly errors: RowErrors,
    private readonly options: ReaderOptions,
  ) {}

  private get maxRows(): number {
    return this.options.maxRows ?? Infinity;
  }

  /** The zones of the recipients so far. */
  get zoneNames(): string[] {
    return this.zones.names;
  }

  get hasHeader(): boolean {
    return this.columns !== undefined;
  }

  /** Whether the file has more rows than allowed. */
  get isOverLimit(): boolean {
    return this.count > this.maxRows + 1;
  }

  /** @param encoding of the fields: decoded, or Latin-1 */
  add(row: string[], encoding: 'utf8' | 'latin1'): void {
    if (this.isOverLimit) return;
    this.count += 1;
    if (this.isOverLimit)
      return this.refuse(`more than ${this.maxRows} rows below the header, including empty rows`);
    // Rows cannot be read without the header.
    if (!this.hasHeader && !this.errors.isEmpty) return;
    if (row.length > MAX_COLUMNS) {
      if (this.hasHeader) this.found += 1;
      return this.refuse(`${row.length} fields; the maximum is ${MAX_COLUMNS}`);
    }
    const fields = encoding === 'utf8' ? row : row.map(decodeUtf8);
    // Spreadsheets export empty rows as separators only.
    if (fields.every((field) => field?.trim() === '')) return;
    if (!fields.every((field) => field !== undefined)) {
      if (this.hasHeader) this.found += 1;
      return this.refuse('not valid UTF-8');
    }
    if (this.columns) this.addRecipient(fields, this.columns);
    else this.readHeader(fields);
  }

  /** Returns and removes the recipients that were added since the last invocation. */
  take(): RecipientLines {
    const { lines } = this;
    this.lines = { text: '', count: 0, firstRow: 0 };
    return lines;
  }

  private readHeader(fields: string[]): void {
    const columns = recipientColumns(fields, this.options.variableAliases ?? []);
    if (typeof columns === 'string') return this.refuse(columns);
    this.columns = columns;
    this.headers = fields;
    this.lineOf = recipientLine(columns);
  }

  private addRecipient(fields: string[], columns: RecipientColumns): void {
    this.found += 1;
    const zone = columns.timezone === -1 ? '' : this.zones.find((fields[columns.timezone] ?? '').trim());
    const error = errorIn(fields, columns, zone, this.options.destinations);
    if (error) return this.refuse(error.message, this.cellOf(fields, error.index));
    const { phoneNumber, customerName } = columns;
    fields[phoneNumber] = (fields[phoneNumber] as string).trim();
    if (customerName !== -1) fields[customerName] = (fields[customerName] as string).trim();
    // Also as a variable.
    if (columns.timezone !== -1) fields[columns.timezone] = zone as string;
    if (this.lines.count === 0) this.lines.firstRow = this.count;
    this.lines.text += this.lineOf(this.count, fields);
    this.lines.count += 1;
  }

  private cellOf(fields: string[], index = -1): { column?: string; value?: string } {
    const value = fields[index];
    return value === undefined
      ? {}
      : { column: (this.headers[index] ?? '').trim(), value: value.slice(0, MAX_SHOWN) };
  }

  private refuse(message: string, cell: { column?: string; value?: string } = {}): void {
    this.errors.add({ row: this.count, message, ...cell });
  }
}

/** Of a wrong value, in characters. */
const MAX_SHOWN = 100;

interface Problem {
  message: string;
  /** Of the column, if one cell is wrong. */
  index?: number;
}

const quoted = (text: string) => JSON.stringify(text.slice(0, 40));

function errorIn(
  fields: string[],
  { count, ...columns }: RecipientColumns,
  zone: string | undefined,
  destinations: DestinationRules | undefined,
): Problem | undefined {
  if (fields.length !== count) return { message: `${fields.length} fields, but the header has ${count}` };
  const number = (fields[columns.phoneNumber] as string).trim();
  const ofNumber = (message: string) => ({ message, index: columns.phoneNumber });
  if (!isE164(number)) {
    return ofNumber(
      `the phone number ${quoted(number)} is not a possible number in E.164 form, such as +15551234567`,
    );
  }
  if (destinations && !isAllowedDestination(number, destinations)) {
    return ofNumber(`${number} is a destination that this installation does not allow`);
  }
  if ((fields[columns.customerName] ?? '').trim().length > MAX_CUSTOMER_NAME_LENGTH) {
    const message = `the customer name has more than ${MAX_CUSTOMER_NAME_LENGTH} characters`;
    return { message, index: columns.customerName };
  }
  if (zone === undefined) {
    const name = (fields[columns.timezone] as string).trim();
    const message = `the timezone ${quoted(name)} is not the IANA name of a time zone, such as Europe/Berlin`;
    return { message, index: columns.timezone };
  }
  const unnamed = columns.unnamedColumns.find((index) => (fields[index] as string).trim() !== '');
  if (unnamed !== undefined) {
    const value = quoted(fields[unnamed] as string);
    return {
      message: `column ${unnamed + 1} has a value, ${value}, but no name in the header`,
      index: unnamed,
    };
  }
  const tooLong = columns.variables.find(
    ({ index }) => (fields[index] as string).length > MAX_VARIABLE_LENGTH,
  );
  if (tooLong) {
    return {
      message: `${tooLong.name} has more than ${MAX_VARIABLE_LENGTH} characters`,
      index: tooLong.index,
    };
  }
  return fields.every(isStorableText) ? undefined : { message: 'contains a NUL character' };
}
