import { MAX_CUSTOMER_NAME_LENGTH, MAX_VARIABLE_LENGTH } from '../../calls/model/call-request';
import { type DestinationRules, isAllowedDestination } from '../../calls/model/destinations';
import { type RowProblem, RowReader } from '../../../platform/csv/row-reader';
import { isE164 } from '../../../platform/validation/phone-number';
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

  constructor(
    errors: RowErrors,
    private readonly options: ReaderOptions,
  ) {
    super(errors, options.maxRows ?? Infinity);
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
    const { columns } = this;
    const zone = columns.timezone === -1 ? '' : this.zones.find((fields[columns.timezone] ?? '').trim());
    const problem = problemIn(fields, columns, zone, this.options.destinations);
    if (problem) return problem;
    const { phoneNumber, customerName } = columns;
    fields[phoneNumber] = (fields[phoneNumber] as string).trim();
    if (customerName !== -1) fields[customerName] = (fields[customerName] as string).trim();
    // The zone is a variable, too.
    if (columns.timezone !== -1) fields[columns.timezone] = zone as string;
    return this.format(row, fields);
  }
}

const quoted = (text: string) => JSON.stringify(text.slice(0, 40));

function problemIn(
  fields: string[],
  { count, ...columns }: RecipientColumns,
  zone: string | undefined,
  destinations: DestinationRules | undefined,
): RowProblem | undefined {
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
