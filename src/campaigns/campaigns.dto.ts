import { Transform } from 'class-transformer';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME } from '../validation/example';
import { BooleanField, DateTimeField, IntegerField, NestedField } from '../validation/fields';
import { NameField, TextField } from '../validation/text-fields';
import { PageQuery } from '../http/pagination';
import { type UploadedFile, UploadedFileField } from '../http/uploaded-file';
import { CAMPAIGN_STATUSES, type CampaignStatus } from './campaign-status';

const optional = true;

const RECIPIENTS_FILE =
  'The recipients as CSV in UTF-8, separated by commas, semicolons or tabs. The first row contains the names of the ' +
  'columns; case and spaces are ignored. The column phone_number (also phone, number, to_number, mobile or ' +
  'contact_number) is required and contains E.164 numbers. The column customer_name (also name) and all other ' +
  'columns are optional. Each column is a variable for prompt and greeting, which may write its name with other ' +
  'case, spaces, underscores and hyphens.';

const EXAMPLE_FILE = 'phone_number,customer_name,appointment_time\n+15551234567,Ada,"Monday, 9 am"\n';

/** HTML forms send an empty text for an empty field. */
const EmptyIsAbsent = () => Transform(({ value }: { value: unknown }) => (value === '' ? undefined : value));

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
  @TextField({ optional, max: 100, description: "Must be the credential's workspace." })
  workspaceId?: string;
}

export class ListCampaignsQuery extends PageQuery {
  @TextField({ optional, max: 200, description: 'A part of the name.' }) search?: string;
  @TextField({ optional, choices: CAMPAIGN_STATUSES }) status?: CampaignStatus;
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
  @IntegerField({ description: 'Recipients who were not called yet.' }) pending: number;
  @IntegerField({ description: 'Recipients whose call waits for a runtime.' }) queued: number;
  @IntegerField({ description: 'Recipients whose call a runtime has claimed.' }) accepted: number;
  @IntegerField() connected: number;
  @IntegerField({ description: 'Recipients whose call was connected and has ended.' }) disconnected: number;
  @IntegerField({ description: 'Recipients whose call ended before it was connected.' }) failed: number;
}

@Example({
  ...CAMPAIGN,
  progress: { pending: 1, queued: 0, accepted: 0, connected: 0, disconnected: 0, failed: 0 },
  failureReason: null,
})
export class CampaignDetailDto extends CampaignDto {
  @NestedField(() => CampaignProgressDto, {
    description: 'The number of recipients by the state of their call.',
  })
  progress: CampaignProgressDto;

  @TextField({ nullable: true, description: 'Why the campaign could not continue.' })
  failureReason: string | null;
}
