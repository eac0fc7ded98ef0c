import { IntersectionType } from '@nestjs/swagger';
import type { Actor } from '../http/actor';
import { ExportQuery } from '../http/export-formats';
import { PageQuery } from '../http/pagination';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME } from '../validation/example';
import { DateTimeField, IntegerField, ObjectField } from '../validation/fields';
import { TextField } from '../validation/text-fields';
import { LOG_EVENTS, type LogEvent } from './campaign-log-entry.entity';
import { PROGRESS_KEYS, type ProgressKey } from './campaign-status';

const optional = true;
const nullable = true;

export class RecipientFilterQuery {
  @TextField({ optional, choices: PROGRESS_KEYS }) status?: ProgressKey;
  @TextField({ optional, max: 200, description: 'A part of the number or of the name.' }) search?: string;
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
      'removed, expired or cancelled.',
  })
  outcome: string | null;
}

@Example({
  at: EXAMPLE_TIME,
  event: 'paused',
  actor: { kind: 'key', id: EXAMPLE_IDS.apiKey, name: EXAMPLE_IDS.user },
  text: 'Paused by the operations team; 3 unclaimed calls were taken back.',
  data: { taken_back: 3 },
})
export class CampaignLogEntryDto {
  @DateTimeField() at: Date;
  @TextField({ choices: LOG_EVENTS }) event: LogEvent;
  @ObjectField({ nullable, description: 'Its `kind`, `id` and `name`; null: the server itself.' })
  actor: Actor | null;
  @TextField() text: string;
  @ObjectField() data: object;
}
