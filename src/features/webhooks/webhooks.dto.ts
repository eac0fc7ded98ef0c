import { Example, EXAMPLE_IDS, EXAMPLE_TIME, getExample } from '../../platform/validation/example';
import {
  BooleanField,
  DateTimeField,
  IntegerField,
  ListField,
  NestedField,
  ObjectField,
} from '../../platform/validation/fields';
import { PageQuery } from '../../platform/http/pagination';
import { TextsField } from '../../platform/validation/item-fields';
import {
  TextField,
  TextMapField,
  WEB_ADDRESS_LENGTH,
  WebAddressField,
} from '../../platform/validation/text-fields';
import { EVENT_TYPES, type EventType } from './event-types';
import { DELIVERY_STATUSES, type DeliveryStatus } from './webhook-delivery.entity';

const optional = true;
const nullable = true;

export const EXAMPLE_DELIVERY_ID = '0d3f6a0e-52c1-4f6b-8a57-1e0c9b2d7f34';

export const EXAMPLE_SECRET = `whsec_${'x'.repeat(43)}=`;

export const DELIVERY_SORT_FIELDS = ['created_at', 'given_up_at'] as const;
export type DeliverySortField = (typeof DELIVERY_SORT_FIELDS)[number];

export class ListDeliveriesQuery extends PageQuery {
  @TextField({ optional, choices: DELIVERY_STATUSES }) status?: DeliveryStatus;
  @TextsField({ optional, repeatable: true, maxItems: EVENT_TYPES.length, choices: EVENT_TYPES })
  type?: EventType[];
  @TextField({ optional, max: 100, description: 'Only events of this call.' }) conversation_id?: string;
  @TextField({ optional, max: 100, description: 'Only what this endpoint gets.' }) endpoint_id?: string;
  @TextField({ optional, max: WEB_ADDRESS_LENGTH, description: 'A part of the address, in any case.' })
  url?: string;
  @BooleanField({ optional, fromText: true, description: 'Whether somebody has dismissed the failure.' })
  dismissed?: boolean;
  @DateTimeField({ optional, description: 'Created at this time or later.' }) start_date?: Date;
  @DateTimeField({ optional, endOfDay: true, description: 'Created at this time or earlier.' })
  end_date?: Date;

  @TextField({
    optional,
    choices: DELIVERY_SORT_FIELDS,
    default: 'created_at',
    description: 'The newest first. By `given_up_at`, those that were given up last come first.',
  })
  sortBy: DeliverySortField = 'created_at';
}

@Example({
  delivery_id: EXAMPLE_DELIVERY_ID,
  event_id: EXAMPLE_IDS.webhookEvent,
  endpoint_id: null,
  type: 'call.ended',
  conversation_id: EXAMPLE_IDS.conversation,
  url: 'https://hooks.example/parley',
  status: 'pending',
  created_at: EXAMPLE_TIME,
  attempt_count: 1,
  last_status_code: 503,
  last_error: 'it answers with status 503',
  next_attempt_at: '2026-03-02T09:30:05.417Z',
  given_up_at: null,
  dismissed_at: null,
})
export class DeliveryDto {
  @TextField({ description: 'The id in the header webhook-id of each attempt.' }) delivery_id: string;
  @TextField({ description: 'The id of the event, which is the same for all receivers.' }) event_id: string;
  @TextField({ nullable, description: 'Null for the `webhook_url` of a call and for a test of an address.' })
  endpoint_id: string | null;
  @TextField({ choices: EVENT_TYPES }) type: EventType;
  @TextField({ nullable, description: 'Null if it is not about a call.' }) conversation_id: string | null;
  @TextField({ description: 'The address of the latest attempt.' }) url: string;
  @TextField({ choices: DELIVERY_STATUSES }) status: DeliveryStatus;
  @DateTimeField() created_at: Date;
  @IntegerField() attempt_count: number;
  @IntegerField({ nullable, description: 'Null if there was no answer.' }) last_status_code: number | null;
  @TextField({ nullable, description: 'Why the latest attempt failed.' }) last_error: string | null;
  @DateTimeField({
    nullable,
    description: 'Null unless pending. Older events of the same call are delivered or given up first.',
  })
  next_attempt_at: Date | null;
  @DateTimeField({
    nullable,
    description: 'When the last attempt failed. Null unless failed; a delivery that is sent again has none.',
  })
  given_up_at: Date | null;
  @DateTimeField({
    nullable,
    description: 'When somebody dismissed the failure, which is no problem any more.',
  })
  dismissed_at: Date | null;
}

@Example({
  type: 'call.ended',
  timestamp: EXAMPLE_TIME,
  event_id: EXAMPLE_IDS.webhookEvent,
  data: { conversation_id: EXAMPLE_IDS.conversation },
})
export class WebhookPayloadDto {
  @TextField({ choices: EVENT_TYPES }) type: EventType;
  @DateTimeField() timestamp: Date;
  @TextField({ description: 'The id of the event, which is the same for all receivers.' }) event_id: string;
  @ObjectField({ description: 'The conversation, as the API shows it, and the external_id of its call.' })
  data: object;
}

@Example({ headers: { 'content-type': 'text/plain' }, body: 'Service Unavailable' })
export class ReceiverAnswerDto {
  @TextMapField({
    description: 'The first 4 KB of the headers, without cookies.',
    ...{ maxKeys: 1_000, maxNameLength: 4_096, maxLength: 4_096 },
  })
  headers: Record<string, string>;
  @TextField({ description: 'The first 4 KB of the body.' }) body: string;
}

@Example({
  number: 1,
  started_at: EXAMPLE_TIME,
  duration_ms: 412,
  status_code: 503,
  error: 'it answers with status 503',
  answer: getExample(ReceiverAnswerDto),
})
export class AttemptDto {
  @IntegerField() number: number;
  @DateTimeField() started_at: Date;
  @IntegerField({
    nullable,
    description: 'Null while the attempt is in progress, and if the server stopped during it.',
  })
  duration_ms: number | null;
  @IntegerField({ nullable, description: 'Null if there was no answer.' }) status_code: number | null;
  @TextField({ nullable, description: 'Why the attempt failed.' }) error: string | null;
  @NestedField(() => ReceiverAnswerDto, { nullable, description: 'Null if there was no answer.' })
  answer: ReceiverAnswerDto | null;
}

@Example({
  ...getExample(DeliveryDto),
  payload: getExample(WebhookPayloadDto),
  attempts: [getExample(AttemptDto)],
})
export class DeliveryDetailDto extends DeliveryDto {
  @NestedField(() => WebhookPayloadDto, { description: 'The body of the request.' })
  payload: WebhookPayloadDto;
  @ListField(() => AttemptDto) attempts: AttemptDto[];
}

@Example({ url: 'https://hooks.example/parley' })
export class SendTestEventDto {
  @WebAddressField({ description: 'The address to send it to.' }) url: string;
}

@Example({ delivery_id: EXAMPLE_DELIVERY_ID })
export class AcceptedDeliveryDto {
  @TextField({ description: 'The delivery shows whether the event was delivered.' }) delivery_id: string;
}

@Example({ until: EXAMPLE_TIME })
export class DismissDeliveriesDto {
  @DateTimeField({
    optional,
    description: 'Only those that were given up at this time or earlier. Default: now.',
  })
  until?: Date;
}

@Example({ dismissed: 19 })
export class DismissedDeliveriesDto {
  @IntegerField({ description: 'At most 10,000. Send the request again for further ones.' })
  dismissed: number;
}

@Example({ overlap_hours: 24 })
export class RotateSecretDto {
  @IntegerField({
    optional,
    min: 0,
    max: 168,
    default: 24,
    description: 'How long the current secret stays valid. 0 ends it at once.',
  })
  overlap_hours: number = 24;
}

@Example({ secret: EXAMPLE_SECRET, previous_secret: null, previous_expires_at: null })
export class SecretDto {
  @TextField({ description: 'Every webhook is signed with it.' }) secret: string;
  @TextField({ nullable, description: 'Every webhook is also signed with it until it expires.' })
  previous_secret: string | null;
  @DateTimeField({ nullable }) previous_expires_at: Date | null;
}
