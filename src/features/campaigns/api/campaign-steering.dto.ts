import { IntersectionType } from '@nestjs/swagger';
import { ActorDto } from '../../../platform/http/actor.dto';
import { ExportQuery } from '../../../platform/http/export-formats';
import { PageQuery } from '../../../platform/http/pagination';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME } from '../../../platform/validation/example';
import {
  DateTimeField,
  IntegerField,
  ListField,
  NestedField,
  ObjectField,
} from '../../../platform/validation/fields';
import { SearchField, TextField } from '../../../platform/validation/text-fields';
import { LOG_EVENTS, type LogEvent } from '../plan/campaign-log-entry.entity';
import { RECIPIENT_WAITING_REASONS, type RecipientWaitingReason } from '../recipients/recipient-wait';
import {
  CONTACT_RESULTS,
  type ContactResult,
  PROGRESS_KEYS,
  type ProgressKey,
} from '../plan/campaign-status';

const optional = true;
const nullable = true;

export class RecipientFilterQuery {
  @TextField({ optional, choices: PROGRESS_KEYS }) status?: ProgressKey;
  @TextField({ optional, choices: CONTACT_RESULTS, description: 'Those with this result.' })
  result?: ContactResult;
  @SearchField({ optional, max: 200, description: 'A part of the number or of the name.' }) search?: string;
}

export class SearchRecipientsQuery {
  @SearchField({
    min: 3,
    max: 200,
    description:
      'A number is found in all campaigns. A part of a number or of a name is found in up to 4,096 of the newest campaigns ' +
      'and 500,000 recipients, but not in campaigns of a release before 1.1.0.',
  })
  search: string;

  @IntegerField({ fromText: true, min: 1, max: 100, optional: true, default: 10 })
  limit: number = 10;
}

export class ListRecipientsQuery extends IntersectionType(PageQuery, RecipientFilterQuery) {}

export class ExportRecipientsQuery extends IntersectionType(RecipientFilterQuery, ExportQuery) {}

@Example({
  phone_number: '+15551234567',
  customer_name: 'Ada',
  status: 'retrying',
  attempts: 1,
  last_call_id: EXAMPLE_IDS.conversation,
  next_attempt_at: EXAMPLE_TIME,
  outcome: 'dial_busy',
  result: null,
})
export class RecipientDto {
  @TextField({ description: 'E.164; empty once the person was erased.' }) phone_number: string;
  @TextField() customer_name: string;
  @TextField({ choices: PROGRESS_KEYS }) status: ProgressKey;
  @IntegerField({ description: 'Calls so far, without those that no runtime claimed in time.' })
  attempts: number;
  @TextField({ nullable }) last_call_id: string | null;
  @DateTimeField({
    nullable,
    description: 'When the recipient can be called at the earliest; null: now, or not again.',
  })
  next_attempt_at: Date | null;
  @TextField({
    nullable,
    description:
      'Of the last call: what the runtime reported, else its disconnect_reason. Of a skipped recipient: do_not_call, ' +
      'invalid_destination, removed, expired or cancelled.',
  })
  outcome: string | null;
  @TextField({
    nullable,
    choices: CONTACT_RESULTS,
    description:
      'How the last call went, if it was connected and has ended: with a voicemail, in silence, or else `reached`. null: ' +
      'it was not connected or has not ended, or it was deleted.',
  })
  result: ContactResult | null;
}

export class RecipientWaitDto {
  @TextField({
    choices: RECIPIENT_WAITING_REASONS,
    description:
      'campaign_ended: about to be skipped. do_not_call: the number is listed, so the recipient will be skipped. ' +
      'other_calls_first: due, behind others or the limits of the campaign. The other reasons are those of a campaign.',
  })
  reason: RecipientWaitingReason;
  @DateTimeField({ nullable, description: 'null: no time is known.' }) until: Date | null;
}

const DETAIL = {
  phone_number: '+15551234567',
  customer_name: 'Ada',
  status: 'retrying',
  attempts: 1,
  last_call_id: EXAMPLE_IDS.conversation,
  next_attempt_at: EXAMPLE_TIME,
  outcome: 'dial_busy',
  result: null,
  waiting: { reason: 'retry_pause', until: EXAMPLE_TIME },
  obstacles: [{ reason: 'retry_pause', until: EXAMPLE_TIME }],
};

@Example(DETAIL)
export class RecipientDetailDto extends RecipientDto {
  @NestedField(() => RecipientWaitDto, {
    nullable,
    description: 'Why the recipient is not called now. null: a call is in progress, or none will be made.',
  })
  waiting: RecipientWaitDto | null;

  @ListField(() => RecipientWaitDto, {
    description:
      'Each reason that is known; `waiting` is the first one. Those of the workspace, such as its credits, are known of ' +
      'a running campaign that is due.',
  })
  obstacles: RecipientWaitDto[];
}

const CAMPAIGN = {
  campaign_id: EXAMPLE_IDS.campaign,
  campaignName: 'Spring reminders',
  timezone: 'America/New_York',
};

@Example({ ...CAMPAIGN, ...DETAIL })
export class FoundRecipientDto extends RecipientDetailDto {
  @TextField() campaign_id: string;
  @TextField() campaignName: string;
  @TextField({ description: 'The zone of the campaign, an IANA name.' }) timezone: string;
}

@Example({
  at: EXAMPLE_TIME,
  event: 'paused',
  actor: { kind: 'session', id: EXAMPLE_IDS.session, name: 'Ada Lovelace' },
  text: 'Paused by Ada Lovelace; 3 unclaimed calls were taken back.',
  data: { taken_back: 3 },
})
export class CampaignLogEntryDto {
  @DateTimeField() at: Date;
  @TextField({ choices: LOG_EVENTS }) event: LogEvent;
  @NestedField(() => ActorDto, { nullable, description: 'null: the server itself.' })
  actor: ActorDto | null;
  @TextField() text: string;
  @ObjectField() data: object;
}
