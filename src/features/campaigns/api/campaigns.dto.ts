import { OnRequest } from '../../../platform/http/envelope';
import { PageQuery } from '../../../platform/http/pagination';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME } from '../../../platform/validation/example';
import { DateTimeField, IntegerField, NestedField, NumberField } from '../../../platform/validation/fields';
import {
  SearchField,
  TextField,
  TimeZoneField,
  WebAddressField,
} from '../../../platform/validation/text-fields';
import {
  CountsField,
  EXAMPLE_RETRY,
  EXAMPLE_WINDOWS,
  RetryField,
  TEXTS,
  WaitingField,
  WindowsField,
} from '../plan/campaign-fields.dto';
import { CAMPAIGN_STATUSES, type CampaignStatus, type WaitingReason } from '../plan/campaign-status';
import type { RetryPolicy } from '../plan/retry-policy';
import type { CallingWindow } from '../plan/windows';

const optional = true;
const nullable = true;

export class ListCampaignsQuery extends PageQuery {
  @SearchField({ optional, max: 200, description: 'A part of the name.' }) search?: string;
  @TextField({ optional, choices: CAMPAIGN_STATUSES }) status?: CampaignStatus;
  @TextField({
    optional,
    choices: ['progress'],
    description: 'progress: with timezone, progress, results and waiting, as a campaign by itself has them.',
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

export class ContactResultsDto {
  @IntegerField({ description: 'Neither a voicemail nor silence was reported.' }) reached: number;
  @IntegerField({ description: 'The last call ended as voicemail_reached.' }) voicemail: number;
  @IntegerField({ description: 'The last call ended as inactivity.' }) inactivity: number;
}

const RESULTS_TEXT =
  'The recipients whose last call was connected and has ended, by how it went. The sum is progress.disconnected.';

const RESULTS = { reached: 0, voicemail: 0, inactivity: 0 };

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

@Example({ ...CAMPAIGN, timezone: 'Europe/Berlin', progress: PROGRESS, results: RESULTS, waiting: null })
export class ListedCampaignDto extends CampaignDto {
  @OnRequest() @TimeZoneField({ optional, description: 'If progress is included.' }) timezone?: string;
  @OnRequest()
  @NestedField(() => CampaignProgressDto, { optional, description: 'If it is included.' })
  progress?: CampaignProgressDto;
  @OnRequest()
  @NestedField(() => ContactResultsDto, { optional, description: `If progress is included. ${RESULTS_TEXT}` })
  results?: ContactResultsDto;
  @OnRequest()
  @WaitingField({ optional, nullable, description: 'If progress is included.' })
  waiting?: WaitingOfCampaign;
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
  results: RESULTS,
  outcomes: {},
  retrying_outcomes: {},
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

  @NestedField(() => ContactResultsDto, { description: RESULTS_TEXT }) results: ContactResultsDto;

  @CountsField({
    description:
      'The number of recipients by the outcome of their last call, for those who are not called again: what the ' +
      'runtime reported, else the disconnect_reason. At most 50, and `other`. The sum is progress.disconnected and ' +
      'progress.failed.',
  })
  outcomes: Record<string, number>;

  @CountsField({
    description: 'The same for those who wait for a further attempt. The sum is progress.retrying.',
  })
  retrying_outcomes: Record<string, number>;

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

  @IntegerField({
    description: 'Calls that were started in the last minute, without those that ended unclaimed.',
  })
  calls_last_minute: number;

  @DateTimeField({
    nullable,
    description:
      'When all recipients will have been called, at the rate of the last minute; null: not known.',
  })
  estimated_end: Date | null;

  @TextField({ nullable, description: 'Why the campaign could not continue.' })
  failureReason: string | null;
}
