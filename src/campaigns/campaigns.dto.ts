import { Transform } from 'class-transformer';
import { PageQuery } from '../http/pagination';
import { type UploadedFile, UploadedFileField } from '../http/uploaded-file';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME } from '../validation/example';
import {
  BooleanField,
  DateTimeField,
  IntegerField,
  ListField,
  NestedField,
  NumberField,
} from '../validation/fields';
import {
  NameField,
  PhoneNumberField,
  TextField,
  TimeZoneField,
  WebAddressField,
} from '../validation/text-fields';
import { TextsField } from '../validation/item-fields';
import {
  CountsField,
  EmptyIsAbsent,
  EXAMPLE_RETRY,
  EXAMPLE_WINDOWS,
  RetryField,
  TEXTS,
  WaitingField,
  WindowsField,
} from './campaign-fields.dto';
import { CAMPAIGN_STATUSES, type CampaignStatus, type WaitingReason } from './campaign-status';
import type { RetryPolicy } from './retry-policy';
import type { CallingWindow } from './windows';

const optional = true;
const nullable = true;

/** Calls in progress that a campaign can ask for. */
const MAX_CONCURRENCY = 1_000;

/** Calls a second. */
const RATE = { min: 0.1, max: 100 };

const RECIPIENTS_FILE =
  'The recipients as CSV in UTF-8, separated by commas, semicolons or tabs. The first row contains the names of the ' +
  'columns; case and spaces are ignored. The column phone_number (also phone, number, to_number, mobile or ' +
  'contact_number) is required and contains E.164 numbers. The column customer_name (also name) and all other ' +
  'columns are optional. Each column is a variable for prompt and greeting, which may write its name with other ' +
  'case, spaces, underscores and hyphens. The column timezone is the IANA name of the zone of the recipient.';

const EXAMPLE_FILE = 'phone_number,customer_name,appointment_time\n+15551234567,Ada,"Monday, 9 am"\n';

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
  @RetryField({ optional, fromText: true, description: TEXTS.retry, example: EXAMPLE_RETRY })
  retry?: RetryPolicy;

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

/** Fields that are left out stay as they are; null takes a limit away. */
@Example({ concurrency: 5, windows: EXAMPLE_WINDOWS })
export class UpdateCampaignDto {
  @NameField({ optional }) campaignName?: string;

  @DateTimeField({ optional, description: 'Only of a campaign that has not begun.' }) scheduleTime?: Date;

  @TimeZoneField({ optional, description: TEXTS.timezone }) timezone?: string;

  @WindowsField({ optional, description: TEXTS.windows, example: EXAMPLE_WINDOWS })
  windows?: CallingWindow[];

  @IntegerField({ optional, min: 1, max: MAX_CONCURRENCY, description: TEXTS.concurrency })
  concurrency?: number;

  @NumberField({ optional, nullable, ...RATE, description: TEXTS.callsPerSecond })
  callsPerSecond?: number | null;

  @RetryField({ optional, nullable, description: TEXTS.retry, example: EXAMPLE_RETRY })
  retry?: RetryPolicy | null;

  @DateTimeField({ optional, nullable, description: TEXTS.expiresAt })
  expiresAt?: Date | null;

  @TextField({ optional, max: 100, description: "Must be the credential's workspace." })
  workspaceId?: string;
}

export class ListCampaignsQuery extends PageQuery {
  @TextField({ optional, max: 200, description: 'A part of the name.' }) search?: string;
  @TextField({ optional, choices: CAMPAIGN_STATUSES }) status?: CampaignStatus;
  @TextField({
    optional,
    choices: ['progress'],
    description: 'progress: with timezone, progress and waiting, as a campaign by itself has them.',
  })
  include?: 'progress';
}

const CREATED = {
  campaign_id: EXAMPLE_IDS.campaign,
  campaignName: 'Spring reminders',
  assistantId: EXAMPLE_IDS.agent,
  status: 'scheduled',
  scheduleTime: '2030-03-02T09:00:00.000Z',
  createdAt: EXAMPLE_TIME,
};

@Example(CREATED)
export class CreatedCampaignDto {
  @TextField({ example: EXAMPLE_IDS.campaign }) campaign_id: string;
  @TextField({ example: 'Spring reminders' }) campaignName: string;
  @TextField({ description: 'The agent that calls.' }) assistantId: string;
  @TextField({ choices: CAMPAIGN_STATUSES }) status: CampaignStatus;
  @DateTimeField() scheduleTime: Date;
  @DateTimeField() createdAt: Date;
}

const CAMPAIGN = { ...CREATED, recipientCount: 1, updatedAt: EXAMPLE_TIME };

@Example(CAMPAIGN)
export class CampaignDto extends CreatedCampaignDto {
  @IntegerField() recipientCount: number;
  @DateTimeField() updatedAt: Date;
}

export class CampaignProgressDto {
  @IntegerField({ description: 'Recipients who wait for a call.' }) pending: number;
  @IntegerField({ description: 'Recipients whose call waits for a runtime.' }) queued: number;
  @IntegerField({ description: 'Recipients whose call a runtime has claimed.' }) accepted: number;
  @IntegerField() connected: number;
  @IntegerField({ description: 'Recipients whose last call was connected and has ended.' })
  disconnected: number;
  @IntegerField({ description: 'Recipients whose last call ended before it was connected.' }) failed: number;
  @IntegerField({ description: 'Recipients who are not called.' }) skipped: number;
  @IntegerField({ description: 'Recipients who wait for a further attempt.' }) retrying: number;
}

const PROGRESS = {
  pending: 1,
  queued: 0,
  accepted: 0,
  connected: 0,
  disconnected: 0,
  failed: 0,
  skipped: 0,
  retrying: 0,
};

type WaitingOfCampaign = { reason: WaitingReason; since: Date; until: Date | null } | null;

@Example({ ...CAMPAIGN, timezone: 'Europe/Berlin', progress: PROGRESS, waiting: null })
export class ListedCampaignDto extends CampaignDto {
  @TimeZoneField({ optional, description: 'If progress is included.' }) timezone?: string;
  @NestedField(() => CampaignProgressDto, { optional, description: 'If it is included.' })
  progress?: CampaignProgressDto;
  @WaitingField({ optional, nullable, description: 'If progress is included.' }) waiting?: WaitingOfCampaign;
}

@Example({
  ...CAMPAIGN,
  timezone: 'Europe/Berlin',
  windows: EXAMPLE_WINDOWS,
  concurrency: 10,
  callsPerSecond: null,
  retry: EXAMPLE_RETRY,
  webhookUrl: null,
  expiresAt: null,
  as_of: EXAMPLE_TIME,
  progress: PROGRESS,
  outcomes: {},
  waiting: null,
  calls_last_minute: 0,
  estimated_end: null,
  failureReason: null,
})
export class CampaignDetailDto extends CampaignDto {
  @TimeZoneField({ description: TEXTS.timezone }) timezone: string;
  @WindowsField({ description: TEXTS.windows }) windows: CallingWindow[];
  @IntegerField({ description: TEXTS.concurrency }) concurrency: number;
  @NumberField({ nullable, description: TEXTS.callsPerSecond }) callsPerSecond: number | null;
  @RetryField({ nullable, description: TEXTS.retry }) retry: RetryPolicy | null;
  @WebAddressField({ nullable, description: TEXTS.webhookUrl }) webhookUrl: string | null;
  @DateTimeField({ nullable, description: TEXTS.expiresAt }) expiresAt: Date | null;

  @DateTimeField({ description: 'The moment of the counts. They are of one snapshot.' }) as_of: Date;

  @NestedField(() => CampaignProgressDto, {
    description: 'The number of recipients by their state. The sum is recipientCount.',
  })
  progress: CampaignProgressDto;

  @CountsField({
    description:
      'The number of recipients by the outcome of their last call, for those whose last call has ended: what the ' +
      'runtime reported, else the disconnect_reason. At most 50, and `other`.',
  })
  outcomes: Record<string, number>;

  @WaitingField({
    nullable,
    description:
      'Why nothing is dialled now: `reason`, `since` and `until`, which is null if nobody knows. null: calls are made, ' +
      'or are not to be made. outside_window: no zone is within its windows. no_credits: the credits, or those of this ' +
      'day, are used up. agent_off: the agent is switched off. workspace_full: other calls of the workspace use its ' +
      'places. no_runtime: nobody consumes the queue of calls. broker_away: the message broker cannot be reached. ' +
      'suspended: the operator suspended the workspace. retry_pause: all recipients that are left wait for their next ' +
      'attempt.',
  })
  waiting: WaitingOfCampaign;

  @IntegerField({ description: 'Calls that were started in the last minute.' }) calls_last_minute: number;

  @DateTimeField({
    nullable,
    description:
      'When all recipients will have been called, at the rate of the last minute; null: not known.',
  })
  estimated_end: Date | null;

  @TextField({ nullable, description: 'Why the campaign could not continue.' })
  failureReason: string | null;
}

class RowErrorDto {
  @IntegerField({ description: 'As in a spreadsheet: the header is row 1.' }) row: number;
  @TextField({ nullable }) column: string | null;
  @TextField({ nullable }) value: string | null;
  @TextField() message: string;
}

class SkippedRecipientsDto {
  @IntegerField({ description: 'Numbers on the do-not-call list.' }) do_not_call: number;
}

class FirstCallDto {
  @PhoneNumberField() phone_number: string;
  @TextField() greeting: string;
}

@Example({
  rows: 2,
  recipients: 1,
  errors: [
    {
      row: 3,
      column: 'phone_number',
      value: '12',
      message: 'the phone number "12" is not a possible number in E.164 form, such as +15551234567',
    },
  ],
  skipped: { do_not_call: 0 },
  unfilled_variables: ['appointment_time'],
  first_calls: [{ phone_number: '+15551234567', greeting: 'Hello Ada.' }],
})
export class CampaignValidationDto {
  @IntegerField({ description: 'Rows below the header, as far as the file was read.' }) rows: number;
  @IntegerField({ description: 'Rows with a recipient that can be called.' }) recipients: number;
  @ListField(() => RowErrorDto, { description: 'The first 20 for which the file would be refused.' })
  errors: RowErrorDto[];
  @NestedField(() => SkippedRecipientsDto) skipped: SkippedRecipientsDto;
  @TextsField({ description: 'Variables in the texts of the agent that no column fills.' })
  unfilled_variables: string[];
  @ListField(() => FirstCallDto, { description: 'The first calls, with their greeting filled in.' })
  first_calls: FirstCallDto[];
}
