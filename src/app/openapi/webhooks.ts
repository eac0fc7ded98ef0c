import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { EXAMPLE_IDS, EXAMPLE_TIME, getExample } from '../../platform/validation/example';
import { GIVE_UP_AFTER_HOURS } from '../../features/webhooks/retry-schedule';
import { EVENT_TYPES, type EventType } from '../../features/webhooks/event-types';
import {
  CallAnalyzedDataDto,
  CallEventDataDto,
  CallRecordedDataDto,
  CallWarningDataDto,
  CorrectedCallDataDto,
  OptedOutDataDto,
  TestEventDataDto,
  ToolUnknownDataDto,
  TranscriptReadyDataDto,
} from './event-data';
import { WebhookPayloadDto } from '../../features/webhooks/webhooks.dto';

/** The classes that the document needs beside the classes of the routes. */
export const EVENT_DATA = [
  CallEventDataDto,
  CorrectedCallDataDto,
  TranscriptReadyDataDto,
  CallRecordedDataDto,
  CallAnalyzedDataDto,
  CallWarningDataDto,
  ToolUnknownDataDto,
  OptedOutDataDto,
  TestEventDataDto,
];

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
  'call.transcript_ready': {
    operationId: 'onTranscriptReady',
    summary: 'The transcript of a call is complete',
    description:
      'Sent to endpoints once, when the call has ended and all turns that its runtime counted are there.',
    data: TranscriptReadyDataDto,
  },
  'call.recorded': {
    operationId: 'onCallRecorded',
    summary: 'A call has a recording',
    description:
      'Sent to endpoints when a recording is reported or uploaded, and again if its address changes.',
    data: CallRecordedDataDto,
  },
  'call.analyzed': {
    operationId: 'onCallAnalyzed',
    summary: 'A runtime reported an analysis',
    description: 'Sent to endpoints for each of the first ten analyses of a call.',
    data: CallAnalyzedDataDto,
  },
  'call.warning': {
    operationId: 'onCallWarning',
    summary: 'A runtime warned about a call',
    description: 'Sent to endpoints for each warning that the call keeps.',
    data: CallWarningDataDto,
  },
  'call.tool_unknown': {
    operationId: 'onToolUnknown',
    summary: 'It is not known whether a tool has done what it was asked for',
    description: 'Sent to endpoints when an invocation is settled as `unknown`. A person decides it.',
    data: ToolUnknownDataDto,
  },
  'number.opted_out': {
    operationId: 'onNumberOptedOut',
    summary: 'A person asked not to be called any more',
    description:
      'Sent to endpoints when a runtime reports an opt-out, which puts the number on the do-not-call list.',
    data: OptedOutDataDto,
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
