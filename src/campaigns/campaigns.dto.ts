import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Allow } from 'class-validator';
import { BooleanField, DateTimeField, IntegerField, NestedField } from '../common/fields';
import { TextField } from '../common/text-fields';
import { PageQuery } from '../common/pagination';
import { CAMPAIGN_STATUSES, type CampaignStatus } from './campaign.entity';

const optional = true;

const RECIPIENTS_FILE =
  'The recipients as CSV in UTF-8, separated by comma, semicolon or tab. The first row names the columns, ignoring ' +
  'case and spaces: phone_number in E.164 form (also phone, number, to_number, mobile or contact_number), ' +
  'customer_name if you like (also name), and any other column is a variable for prompt and greeting.';

const EXAMPLE_FILE = 'phone_number,customer_name,appointment_time\n+15551234567,Ada,"Monday, 9 am"\n';

const EXAMPLE_ID = '01980f6c-3c5e-7a51-9a53-5f3b1c2d4e6f';

/** HTML forms send an empty text for a field that was left empty. */
const EmptyIsAbsent = () => Transform(({ value }: { value: unknown }) => (value === '' ? undefined : value));

/** What the form's file may be: the service says what is missing. */
const FormFile = () => (target: object, property: string) => {
  const schema = {
    type: 'string',
    format: 'binary',
    description: RECIPIENTS_FILE,
    example: EXAMPLE_FILE,
  } as const;
  ApiProperty(schema)(target, property);
  // class-transformer would make a copy.
  Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => obj[key])(target, property);
  Allow()(target, property);
};

export class CreateCampaignDto {
  @FormFile() file: unknown;

  @TextField({ min: 1, max: 200, example: 'Spring reminders' }) campaignName: string;

  // Required, but it is the service that says so, together with the file.
  @EmptyIsAbsent()
  @ApiProperty({ required: true })
  @TextField({ optional: () => true, max: 100, description: 'The agent that calls.', example: EXAMPLE_ID })
  assistantId?: string;

  @EmptyIsAbsent()
  @DateTimeField({
    optional: (form: CreateCampaignDto) => form.isScheduled !== true,
    description:
      'When to begin; required and looked at where isScheduled is true, else the campaign begins at once.',
    example: '2026-12-01T09:00:00.000Z',
  })
  scheduleTime?: Date;

  @EmptyIsAbsent()
  @BooleanField({ optional, fromText: true, default: false, example: true })
  isScheduled?: boolean;

  @EmptyIsAbsent()
  @TextField({ optional, max: 100, description: "Must be the credential's own." })
  workspaceId?: string;
}

export class ListCampaignsQuery extends PageQuery {
  @TextField({ optional, max: 200, description: 'Part of the name.' }) search?: string;
  @TextField({ optional, choices: CAMPAIGN_STATUSES }) status?: CampaignStatus;
}

export class CreatedCampaignDto {
  @TextField({ example: EXAMPLE_ID }) campaign_id: string;
  @TextField({ example: 'Spring reminders' }) campaignName: string;
  @TextField({ description: 'The agent that calls.' }) assistantId: string;
  @TextField({ choices: CAMPAIGN_STATUSES }) status: CampaignStatus;
  @DateTimeField() scheduleTime: Date;
  @DateTimeField() createdAt: Date;
}

export class CampaignDto extends CreatedCampaignDto {
  @IntegerField() recipientCount: number;
  @DateTimeField() updatedAt: Date;
}

export class CampaignProgressDto {
  @IntegerField({ description: 'Recipients that have not been called.' }) pending: number;
  @IntegerField({ description: 'Whose call waits for a runtime.' }) queued: number;
  @IntegerField({ description: 'Whose call a runtime has taken.' }) accepted: number;
  @IntegerField() connected: number;
  @IntegerField({ description: 'Whose call was connected and has ended.' }) disconnected: number;
  @IntegerField({ description: 'Whose call ended before it was connected.' }) failed: number;
}

export class CampaignDetailDto extends CampaignDto {
  @NestedField(() => CampaignProgressDto, { description: 'Recipients by the state of their call.' })
  progress: CampaignProgressDto;

  @TextField({ nullable: true, description: 'Why the campaign could not go on.' })
  failureReason: string | null;
}
