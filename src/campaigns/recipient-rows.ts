import { isUtf8 } from 'node:buffer';
import { MAX_CUSTOMER_NAME_LENGTH, MAX_VARIABLE_LENGTH } from '../calls/call-bounds';
import { type DestinationRules, isAllowedDestination } from '../calls/destinations';
import { isStorableText } from '../validation/storable';
import { isE164 } from '../validation/phone-number';
import { recipientColumns, type RecipientColumns } from './recipient-columns';
import type { RowErrors } from './row-errors';

export interface Recipient {
  /** Of the file; its header is row 1. */
  row: number;
  phoneNumber: string;
  /** '' where the file says none. */
  customerName: string;
  dynamicVariables: Record<string, string>;
}

/** Plain data, so that it can be handed to another process. */
export interface ReaderOptions {
  /** How the agent spells its variables. */
  spellings?: string[];
  /** Unset: every destination is allowed. */
  destinations?: DestinationRules;
  /** Below the header, empty ones included. */
  maxRows?: number;
}

/** A call takes a hundred variables; the others may be columns without a name. */
const MAX_COLUMNS = 200;

/** The file's bytes are split as Latin-1, which every byte is; here they become the text that they are. */
function decodeUtf8(latin1: string): string | undefined {
  if (!/[\u0080-\u00ff]/.test(latin1)) return latin1;
  const bytes = Buffer.from(latin1, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/** Makes recipients of a file's rows, and faults of what is no recipient. */
export class RecipientRows {
  private columns: RecipientColumns | undefined;
  private recipients: Recipient[] = [];

  /** How many rows there were so far, the header and empty ones included. */
  count = 0;
  /** How many of them are recipients, good or at fault. */
  found = 0;

  constructor(
    private readonly faults: RowErrors,
    private readonly options: ReaderOptions,
  ) {}

  private get maxRows(): number {
    return this.options.maxRows ?? Infinity;
  }

  get hasHeader(): boolean {
    return this.columns !== undefined;
  }

  /** Whether the file has too many rows, which ends the reading. */
  get isOver(): boolean {
    return this.count > this.maxRows + 1;
  }

  /** @param row its fields as Latin-1 */
  add(row: string[]): void {
    if (this.isOver) return;
    this.count += 1;
    if (this.isOver)
      return this.refuse(`more than ${this.maxRows} rows below the header, empty ones included`);
    // Without a header no row could be understood.
    if (!this.hasHeader && !this.faults.isEmpty) return;
    if (row.length > MAX_COLUMNS) {
      if (this.hasHeader) this.found += 1;
      return this.refuse(`${row.length} fields, and there may be ${MAX_COLUMNS} at most`);
    }
    const fields = row.map(decodeUtf8);
    // Spreadsheets write rows that were emptied as separators alone.
    if (fields.every((field) => field?.trim() === '')) return;
    if (!fields.every((field) => field !== undefined)) {
      if (this.hasHeader) this.found += 1;
      return this.refuse('not valid UTF-8');
    }
    if (this.columns) this.addRecipient(fields, this.columns);
    else this.readHeader(fields);
  }

  /** The recipients since the last time. */
  take(): Recipient[] {
    const taken = this.recipients;
    this.recipients = [];
    return taken;
  }

  private readHeader(fields: string[]): void {
    const columns = recipientColumns(fields, this.options.spellings ?? []);
    if (typeof columns === 'string') this.refuse(columns);
    else this.columns = columns;
  }

  private addRecipient(fields: string[], columns: RecipientColumns): void {
    this.found += 1;
    const problem = problemOf(fields, columns, this.options.destinations);
    if (problem) return this.refuse(problem);
    const { phoneNumber, customerName, variables } = columns;
    fields[phoneNumber] = (fields[phoneNumber] as string).trim();
    if (customerName !== -1) fields[customerName] = (fields[customerName] as string).trim();
    this.recipients.push({
      row: this.count,
      phoneNumber: fields[phoneNumber],
      customerName: fields[customerName] ?? '',
      dynamicVariables: Object.fromEntries(
        variables.map(({ name, index }) => [name, fields[index] as string]),
      ),
    });
  }

  private refuse(message: string): void {
    this.faults.add({ row: this.count, message });
  }
}

const shown = (text: string) => JSON.stringify(text.slice(0, 40));

function problemOf(
  fields: string[],
  { count, ...columns }: RecipientColumns,
  destinations: DestinationRules | undefined,
): string | undefined {
  if (fields.length !== count) return `${fields.length} fields where the header has ${count}`;
  const number = (fields[columns.phoneNumber] as string).trim();
  if (!isE164(number)) {
    return `the phone number ${shown(number)} is not a possible number in E.164 form, such as +15551234567`;
  }
  if (destinations && !isAllowedDestination(number, destinations)) {
    return `${number} is a destination that this installation does not call`;
  }
  if ((fields[columns.customerName] ?? '').trim().length > MAX_CUSTOMER_NAME_LENGTH) {
    return `the customer name has more than ${MAX_CUSTOMER_NAME_LENGTH} characters`;
  }
  const stray = columns.unnamedColumns.find((index) => (fields[index] as string).trim() !== '');
  if (stray !== undefined) {
    return `column ${stray + 1} has a value, ${shown(fields[stray] as string)}, but no name in the header`;
  }
  const tooLong = columns.variables.find(
    ({ index }) => (fields[index] as string).length > MAX_VARIABLE_LENGTH,
  );
  if (tooLong) return `${tooLong.name} has more than ${MAX_VARIABLE_LENGTH} characters`;
  return fields.every(isStorableText) ? undefined : 'a NUL character';
}
