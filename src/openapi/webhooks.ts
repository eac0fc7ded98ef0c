import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { Example, EXAMPLE_TIME, exampleOf } from '../validation/example';
import { TextField } from '../validation/text-fields';
import { ConversationDto } from '../calls/conversations.dto';
import { GIVE_UP_AFTER_HOURS } from '../webhooks/retry-schedule';
import { EVENT_TYPES, type EventType, TEST_EVENT_DATA } from '../webhooks/webhook-delivery.entity';
import { WebhookPayloadDto } from '../webhooks/webhooks.dto';

@Example({ ...exampleOf(ConversationDto), external_id: 'crm-4711' })
class CallEventDataDto extends ConversationDto {
  @TextField({ description: 'Of the request that started the call.' }) external_id: string;
}

@Example(TEST_EVENT_DATA)
class TestEventDataDto {
  @TextField() message: string;
}

/** What the document has to know beside the classes of the routes. */
export const EVENT_DATA = [CallEventDataDto, TestEventDataDto];

const neverEnded = { ended_at: null, disconnect_reason: null, disconnected_by: null };

const neverSpoken = {
  duration: '00:00:00',
  duration_sec: 0,
  metadata: { summary: '', process_compliance: '', outcome: '' },
};

interface Event {
  summary: string;
  data: (typeof EVENT_DATA)[number];
  /** What differs from the example of its class. */
  example?: object;
}

const EVENTS: Record<EventType, Event> = {
  'call.started': {
    summary: 'The call was connected.',
    data: CallEventDataDto,
    example: { status: 'connected', ...neverEnded, ...neverSpoken },
  },
  'call.ended': {
    summary: 'A connected call ended; again where a late report of its runtime corrects that.',
    data: CallEventDataDto,
  },
  'call.failed': {
    summary:
      'The call ended before it was connected; again where a late report of its runtime corrects that.',
    data: CallEventDataDto,
    example: { status: 'failed', disconnect_reason: 'dial_busy', connected_at: null, ...neverSpoken },
  },
  'webhook.test': { summary: 'Somebody asked for it.', data: TestEventDataDto },
};

const header = (name: string, description: string, schema: object) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string', ...schema },
});

const HEADERS = [
  header('webhook-id', 'The same in every attempt: what came before is known by it.', { format: 'uuid' }),
  header('webhook-timestamp', 'When this attempt was made, in seconds since 1970.', { pattern: '^[0-9]+$' }),
  header(
    'webhook-signature',
    'One for each valid secret: v1, a comma and the HMAC-SHA256 of <webhook-id>.<webhook-timestamp>.<body> in Base64.',
    { pattern: '^v1,[A-Za-z0-9+/]+=*( v1,[A-Za-z0-9+/]+=*)*$' },
  ),
];

const TRIED_AGAIN = {
  description: `Tried again for ${GIVE_UP_AFTER_HOURS} hours, and not earlier than Retry-After requests.`,
};

const ANSWERS = {
  '2XX': { description: 'Delivered, where it comes within 10 seconds. No answer means: tried again.' },
  '3XX': { description: 'Given up: redirects are not followed.' },
  '408': TRIED_AGAIN,
  '425': TRIED_AGAIN,
  '429': TRIED_AGAIN,
  '4XX': { description: 'Given up.' },
  '5XX': TRIED_AGAIN,
};

const request = (type: EventType, { summary, data, example }: Event) => ({
  post: {
    operationId: type,
    tags: ['Webhooks'],
    summary,
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
          example: { type, timestamp: EXAMPLE_TIME, data: { ...exampleOf(data), ...example } },
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
