import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME, getExample } from '../../platform/validation/example';
import { DateTimeField, IntegerField, NestedField } from '../../platform/validation/fields';
import { TextField } from '../../platform/validation/text-fields';
import { CALL_TYPES, CONVERSATION_STATUSES, DIRECTIONS } from '../../features/calls/model/call-states';
import { ConversationDto } from '../../features/calls/model/conversations.dto';
import { GIVE_UP_AFTER_HOURS } from '../../features/webhooks/retry-schedule';
import { EVENT_TYPES, type EventType, TEST_EVENT_DATA } from '../../features/webhooks/event-types';
import { WebhookPayloadDto } from '../../features/webhooks/webhooks.dto';

@Example({
  ...getExample(ConversationDto),
  agent_version: 3,
  external_id: 'crm-4711',
  direction: 'outbound',
  call_type: 'phonecall',
  from_number: '+15557654321',
})
class CallEventDataDto extends ConversationDto {
  @IntegerField({ description: 'The version of the agent.' }) agent_version: number;
  @TextField({ description: 'The external_id of the request that started the call.' }) external_id: string;
  @TextField({ choices: DIRECTIONS }) direction: string;
  @TextField({ choices: CALL_TYPES }) call_type: string;
  @TextField({ nullable: true, description: 'The number of the caller.' }) from_number: string | null;
}

@Example({
  status: 'disconnected',
  disconnect_reason: 'worker_lost',
  ended_at: EXAMPLE_TIME,
  duration_sec: 61,
})
class PreviousEndDto {
  @TextField({ choices: CONVERSATION_STATUSES }) status: string;
  @TextField() disconnect_reason: string;
  @DateTimeField() ended_at: Date;
  @IntegerField() duration_sec: number;
}

@Example({ ...getExample(CallEventDataDto), previous: getExample(PreviousEndDto) })
class CorrectedCallDataDto extends CallEventDataDto {
  @NestedField(() => PreviousEndDto, { description: 'The end as it was told before.' })
  previous: PreviousEndDto;
}

@Example(TEST_EVENT_DATA)
class TestEventDataDto {
  @TextField() message: string;
}

/** The classes that the document needs beside the classes of the routes. */
export const EVENT_DATA = [CallEventDataDto, CorrectedCallDataDto, TestEventDataDto];

const neverEnded = { ended_at: null, disconnect_reason: null, disconnected_by: null };

const neverSpoken = {
  duration: '00:00:00',
  duration_sec: 0,
  metadata: { summary: '', process_compliance: '', outcome: '' },
};

interface Event {
  operationId: string;
  summary: string;
  description: string;
  data: (typeof EVENT_DATA)[number];
  /** The members that differ from the example of its class. */
  example?: object;
}

const CORRECTED = 'Sent again where a late report of the runtime corrects the end of the call.';

const EVENTS: Record<EventType, Event> = {
  'call.started': {
    operationId: 'onCallStarted',
    summary: 'A call was connected',
    description: 'Sent once, when the call is connected.',
    data: CallEventDataDto,
    example: { status: 'connected', ...neverEnded, ...neverSpoken },
  },
  'call.ended': {
    operationId: 'onCallEnded',
    summary: 'A connected call ended',
    description: `Sent when a connected call ends. ${CORRECTED}`,
    data: CallEventDataDto,
  },
  'call.failed': {
    operationId: 'onCallFailed',
    summary: 'A call ended before it was connected',
    description: `Sent when a call ends that was never connected. ${CORRECTED}`,
    data: CallEventDataDto,
    example: { status: 'failed', disconnect_reason: 'dial_busy', connected_at: null, ...neverSpoken },
  },
  'call.corrected': {
    operationId: 'onCallCorrected',
    summary: 'A late report changed an ended call',
    description:
      'Sent to endpoints when a late report of the runtime corrects the end of a call. An address of a call gets `call.ended` ' +
      'or `call.failed` again.',
    data: CorrectedCallDataDto,
  },
  'webhook.test': {
    operationId: 'onWebhookTest',
    summary: 'A test event',
    description: 'Sent when the operation `sendTestWebhook` asks for it.',
    data: TestEventDataDto,
  },
};

const header = (name: string, description: string, schema: object) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string', ...schema },
});

const HEADERS = [
  header(
    'webhook-id',
    'The id of the event. It is the same in every attempt, so a receiver can ignore an event it has already processed.',
    { format: 'uuid' },
  ),
  header('webhook-timestamp', 'When this attempt was made, in seconds since 1970.', { pattern: '^[0-9]+$' }),
  header(
    'webhook-signature',
    'For each valid secret: v1, a comma and the HMAC-SHA256 of <webhook-id>.<webhook-timestamp>.<body> in Base64.',
    { pattern: '^v1,[A-Za-z0-9+/]+=*( v1,[A-Za-z0-9+/]+=*)*$' },
  ),
];

const RETRIED = {
  description: `The webhook is sent again, for up to ${GIVE_UP_AFTER_HOURS} hours and not before Retry-After.`,
};

const ANSWERS = {
  '2XX': {
    description:
      'The webhook is delivered if this comes within 10 seconds. Without an answer it is sent again.',
  },
  '3XX': { description: 'The webhook is not sent again. Redirects are not followed.' },
  '408': RETRIED,
  '425': RETRIED,
  '429': RETRIED,
  '4XX': { description: 'The webhook is not sent again.' },
  '5XX': RETRIED,
};

const request = (type: EventType, { operationId, summary, description, data, example }: Event) => ({
  post: {
    operationId,
    tags: ['Webhooks'],
    summary,
    description,
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            allOf: [
              { $ref: getSchemaPath(WebhookPayloadDto) },
              { type: 'object', properties: { type: { enum: [type] }, data: { $ref: getSchemaPath(data) } } },
            ],
          },
          example: {
            type,
            timestamp: EXAMPLE_TIME,
            event_id: EXAMPLE_IDS.webhookEvent,
            data: { ...getExample(data), ...example },
          },
        },
      },
    },
    responses: ANSWERS,
  },
});

/** The requests that receivers of webhooks are sent, by the type of their event. */
export const WEBHOOKS = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, request(type, EVENTS[type])]),
) as OpenAPIObject['webhooks'];
