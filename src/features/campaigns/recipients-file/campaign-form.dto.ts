import { Transform } from 'class-transformer';
import { type CountryCode, getCountries } from 'libphonenumber-js';
import { INVALID_ROWS, type InvalidRows } from '../../../platform/csv/left-out-rows.dto';
import { type UploadedFile, UploadedFileField } from '../../../platform/http/uploaded-file';
import { Example, EXAMPLE_IDS } from '../../../platform/validation/example';
import {
  BooleanField,
  DateTimeField,
  EmptyIsAbsent,
  IntegerField,
  NumberField,
} from '../../../platform/validation/fields';
import {
  NameField,
  TextField,
  TimeZoneField,
  WebAddressField,
} from '../../../platform/validation/text-fields';
import {
  EXAMPLE_RETRY,
  EXAMPLE_WINDOWS,
  RetryInputField,
  TEXTS,
  WindowsField,
} from '../plan/campaign-fields.dto';
import type { RetryPolicy } from '../plan/retry-policy';
import type { CallingWindow } from '../plan/windows';

const optional = true;
const nullable = true;

/** The highest number of calls in progress that a campaign can have. */
const MAX_CONCURRENCY = 1_000;

/** The limits of the calls a second. */
const RATE = { min: 0.1, max: 100 };

const RECIPIENTS_FILE =
  'The recipients as CSV in UTF-8, separated by commas, semicolons or tabs. The first row contains the names of the ' +
  'columns; case and spaces are ignored. The column phone_number (also phone, number, to_number, mobile or ' +
  'contact_number) is required and contains E.164 numbers. The column customer_name (also name) and all other ' +
  'columns are optional. Each column is a variable for prompt and greeting, which may write its name with other ' +
  'case, spaces, underscores and hyphens. The column timezone is the IANA name of the zone of the recipient.';

const EXAMPLE_FILE = 'phone_number,customer_name,appointment_time\n+15551234567,Ada,"Monday, 9 am"\n';

const PHONE_COUNTRY =
  'The country (ISO 3166-1 alpha-2) of the numbers in the file that are written without a country code. With it, ' +
  'numbers are read as people write them: "(212) 555-0101" with US is +12125550101. Without it, each number must be ' +
  'in E.164 form.';

/** A form may contain a time although `isScheduled` is false. */
const IgnoredUnlessScheduled = () =>
  Transform(({ value, obj: { isScheduled } }: { value: unknown; obj: { isScheduled?: unknown } }) =>
    isScheduled === true || isScheduled === 'true' ? value : undefined,
  );

/** The condition in the description of `scheduleTime`, as JSON Schema. */
export const SCHEDULED_AT_A_TIME = {
  anyOf: [{ required: ['scheduleTime'] }, { properties: { isScheduled: { enum: [false] } } }],
};

@Example({
  file: EXAMPLE_FILE,
  campaignName: 'Spring reminders',
  assistantId: EXAMPLE_IDS.agent,
  isScheduled: true,
  scheduleTime: '2030-03-02T09:00:00.000Z',
})
export class CreateCampaignDto {
  @UploadedFileField({ description: RECIPIENTS_FILE, example: EXAMPLE_FILE }) file: UploadedFile;

  @NameField({ example: 'Spring reminders' }) campaignName: string;

  @EmptyIsAbsent()
  @TextField({ max: 100, description: 'The agent that calls.', example: EXAMPLE_IDS.agent })
  assistantId: string;

  @EmptyIsAbsent()
  @IgnoredUnlessScheduled()
  @DateTimeField({
    optional: (form: CreateCampaignDto) => form.isScheduled !== true,
    description:
      'The time at which the campaign starts. Required if isScheduled is true, otherwise ignored: the campaign ' +
      'starts immediately.',
    example: '2026-12-01T09:00:00.000Z',
  })
  scheduleTime?: Date;

  @EmptyIsAbsent()
  @BooleanField({ optional, fromText: true, default: false, example: true })
  isScheduled?: boolean;

  @EmptyIsAbsent()
  @TimeZoneField({ optional, default: 'UTC', description: TEXTS.timezone })
  timezone?: string;

  @EmptyIsAbsent()
  @WindowsField({ optional, fromText: true, description: TEXTS.windows, example: EXAMPLE_WINDOWS })
  windows?: CallingWindow[];

  @EmptyIsAbsent()
  @IntegerField({
    optional,
    fromText: true,
    min: 1,
    max: MAX_CONCURRENCY,
    description: `${TEXTS.concurrency} Default: 10, unless the operator has set another one.`,
  })
  concurrency?: number;

  @EmptyIsAbsent()
  @NumberField({ optional, fromText: true, ...RATE, description: TEXTS.callsPerSecond })
  callsPerSecond?: number;

  @EmptyIsAbsent()
  @RetryInputField({ optional, fromText: true, description: TEXTS.retry, example: EXAMPLE_RETRY })
  retry?: RetryPolicy;

  @EmptyIsAbsent()
  @TextField({ optional, choices: getCountries(), description: PHONE_COUNTRY, example: 'US' })
  phoneCountry?: CountryCode;

  @EmptyIsAbsent()
  @TextField({
    optional,
    choices: INVALID_ROWS,
    default: 'refuse',
    description:
      'What happens if rows have errors: the file is refused as a whole, or these rows are skipped. Of a repeated ' +
      'number the first row is used.',
  })
  invalidRows?: InvalidRows;

  @EmptyIsAbsent()
  @WebAddressField({ optional, description: TEXTS.webhookUrl })
  webhookUrl?: string;

  @EmptyIsAbsent()
  @DateTimeField({ optional, description: TEXTS.expiresAt })
  expiresAt?: Date;

  @EmptyIsAbsent()
  @TextField({ optional, max: 100, description: "Must be the credential's workspace." })
  workspaceId?: string;
}

/**
 * A change of a campaign. Fields that are left out stay as they are; null has the effect of leaving a field out of
 * the form.
 */
@Example({ concurrency: 5, windows: EXAMPLE_WINDOWS })
export class UpdateCampaignDto {
  @NameField({ optional }) campaignName?: string;

  @DateTimeField({ optional, description: 'Only of a campaign that has not begun.' }) scheduleTime?: Date;

  @TimeZoneField({ optional, nullable, description: `${TEXTS.timezone} null: UTC.` })
  timezone?: string | null;

  @WindowsField({ optional, nullable, description: TEXTS.windows, example: EXAMPLE_WINDOWS })
  windows?: CallingWindow[] | null;

  @IntegerField({
    optional,
    nullable,
    min: 1,
    max: MAX_CONCURRENCY,
    description: `${TEXTS.concurrency} null: the default.`,
  })
  concurrency?: number | null;

  @NumberField({ optional, nullable, ...RATE, description: TEXTS.callsPerSecond })
  callsPerSecond?: number | null;

  @RetryInputField({ optional, nullable, description: TEXTS.retry, example: EXAMPLE_RETRY })
  retry?: RetryPolicy | null;

  @DateTimeField({ optional, nullable, description: TEXTS.expiresAt })
  expiresAt?: Date | null;

  @TextField({ optional, max: 100, description: "Must be the credential's workspace." })
  workspaceId?: string;
}
