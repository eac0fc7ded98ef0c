import { byName } from '../../platform/database/closed-list';

/** The types of the events that an endpoint can choose. The first three also reach the `webhook_url` of a call. */
export const ENDPOINT_EVENT_TYPES = [
  'call.started',
  'call.ended',
  'call.failed',
  'call.corrected',
  'call.transcript_ready',
  'call.recorded',
  'call.analyzed',
  'call.warning',
  'call.tool_unknown',
  'number.opted_out',
] as const;
export type EndpointEventType = (typeof ENDPOINT_EVENT_TYPES)[number];

export const EVENT_TYPES = [...ENDPOINT_EVENT_TYPES, 'webhook.test'] as const;
export type EventType = (typeof EVENT_TYPES)[number];
export const EVENT_TYPE = byName(EVENT_TYPES);

/** An endpoint with it gets all events, also those of types that are added later. */
export const ALL_EVENTS = '*';

/** The payload's `data` of a test event. */
export const TEST_EVENT_DATA = { message: 'A test event. Others carry what happened here.' };
