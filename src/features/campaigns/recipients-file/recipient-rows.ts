import { MAX_CUSTOMER_NAME_LENGTH, MAX_VARIABLE_LENGTH } from '../../calls/model/call-request';
import { type DestinationRules, isAllowedDestination } from '../../do-not-call/destinations';
import { type RowProblem, RowReader } from '../../../platform/csv/row-reader';
import type { CountryCode } from 'libphonenumber-js';
import { readNumber } from '../../../platform/validation/phone-number';
import { normalized, quoted, storedForm, visibleText } from '../../../platform/validation/plain-text';
import type { RowErrors } from '../../../platform/validation/row-errors';
import { isStorableText } from '../../../platform/validation/storable';
import { recipientColumns, type RecipientColumns } from './recipient-columns';
import { recipientLine } from './recipient-line';
import { ZoneNames } from '../plan/zone-names';

/** The options are plain data, so that they can be sent to another process. */
export interface ReaderOptions {
  /** The names of variables as the agent spells them. */
  variableAliases?: string[];
  /** The rules for destinations. Default: every destination is allowed. */
  destinations?: DestinationRules;
  /** The largest number of rows below the header, including empty rows. */
  maxRows?: number;
  /** The country of numbers without a country's code. Without it, numbers must be in E.164. */
  country?: CountryCode;
  /** Whether rows with errors are left out. Otherwise they are errors of the file. */
  leavesOut?: boolean;
}

export interface RecipientsSummary {
  /** The zones of the recipients, with '' for recipients without one. */
  zones: string[];
}

/**
 * Makes lines of COPY: row number, phone number, customer name, variables, time zone, and whether a search checks
 * the recipient apart.
 */
export class RecipientRows extends RowReader<RecipientsSummary> {
  protected readonly noun = 'recipients';
  private columns: RecipientColumns;
  private readonly zones = new ZoneNames();
  private format: ReturnType<typeof recipientLine>;
  /** The rows by their numbers. Only if rows are left out: otherwise the database finds repeated numbers. */
  private readonly rowsByNumber = new Map<number, number>();

  constructor(
    errors: RowErrors,
    private readonly options: ReaderOptions,
  ) {
    super(errors, { maxRows: options.maxRows ?? Infinity, leavesOut: options.leavesOut });
  }

  get summary(): RecipientsSummary {
    return { zones: this.zones.names };
  }

  protected readHeader(fields: string[]): string | undefined {
    const columns = recipientColumns(fields, this.options.variableAliases ?? []);
    if (typeof columns === 'string') return columns;
    this.columns = columns;
    this.format = recipientLine(columns);
    return undefined;
  }

  protected toLine(fields: string[], row: number): string | RowProblem {
    const { columns, options } = this;
    const { phoneNumber, customerName } = columns;
    if (fields.length !== columns.count)
      return { message: `${fields.length} fields, but the header has ${columns.count}` };
    for (const [index, field] of fields.entries()) fields[index] = normalized(field, 'NFC');
    const read = readNumber((fields[phoneNumber] as string).trim(), options.country);
    if ('problem' in read) return { message: read.problem, index: phoneNumber };
    if (customerName !== -1) fields[customerName] = storedForm(fields[customerName] as string).trim();
    const zone =
      columns.timezone === -1 ? '' : this.zones.find(visibleText(fields[columns.timezone] as string).trim());
    const { number } = read;
    const problem = problemIn(fields, number, zone, columns, options) ?? this.checkRepeated(number, row);
    if (problem) return problem;
    fields[phoneNumber] = number;
    // The zone is a variable, too.
    if (columns.timezone !== -1) fields[columns.timezone] = zone as string;
    return this.format(row, fields);
  }

  private checkRepeated(number: string, row: number): RowProblem | undefined {
    if (!this.options.leavesOut) return undefined;
    // A text would keep the part of the file that it was cut out of. The 15 digits of E.164 are exact as a number.
    const digits = Number(number.slice(1));
    const first = this.rowsByNumber.get(digits);
    if (first !== undefined)
      return { message: `${number} is already in row ${first}`, index: this.columns.phoneNumber };
    this.rowsByNumber.set(digits, row);
    return undefined;
  }
}

function problemIn(
  fields: string[],
  number: string,
  zone: string | undefined,
  columns: RecipientColumns,
  { destinations }: ReaderOptions,
): RowProblem | undefined {
  const ofNumber = (message: string) => ({ message, index: columns.phoneNumber });
  if (destinations && !isAllowedDestination(number, destinations)) {
    return ofNumber(`${number} is a destination that this installation does not allow`);
  }
  if ((fields[columns.customerName] ?? '').length > MAX_CUSTOMER_NAME_LENGTH) {
    const message = `the customer name has more than ${MAX_CUSTOMER_NAME_LENGTH} characters`;
    return { message, index: columns.customerName };
  }
  if (zone === undefined) {
    const name = (fields[columns.timezone] as string).trim();
    const message = `the timezone ${quoted(name)} is not the IANA name of a time zone, such as Europe/Berlin`;
    return { message, index: columns.timezone };
  }
  const unnamed = columns.unnamedColumns.find((index) => visibleText(fields[index] as string).trim() !== '');
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
