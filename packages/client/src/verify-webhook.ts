import { ArgumentError } from './argument-error';
import { Webhook } from 'standardwebhooks';
import { ParleyError } from './errors';
import type { Schemas } from './types';

type EventType = Schemas['WebhookPayloadDto']['type'];

/** The types whose data is not the conversation. */
interface OtherData {
  'call.corrected': Schemas['CorrectedCallDataDto'];
  'call.transcript_ready': Schemas['TranscriptReadyDataDto'];
  'call.recorded': Schemas['CallRecordedDataDto'];
  'call.analyzed': Schemas['CallAnalyzedDataDto'];
  'call.warning': Schemas['CallWarningDataDto'];
  'call.tool_unknown': Schemas['ToolUnknownDataDto'];
  'number.opted_out': Schemas['OptedOutDataDto'];
  'webhook.test': Schemas['TestEventDataDto'];
}

interface EventOf<Type, Data> {
  type: Type;
  timestamp: string;
  event_id: string;
  data: Data;
}

/** An event as webhooks have it in their body. */
export type WebhookEvent =
  | EventOf<Exclude<EventType, keyof OtherData>, Schemas['CallEventDataDto']>
  | { [Type in keyof OtherData]: EventOf<Type, OtherData[Type]> }[keyof OtherData];

/** The headers of a request, as Node.js or `fetch` have them. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

/**
 * Checks the signature of a webhook that was received within the last five minutes.
 * @param body as it was received, not parsed
 * @throws ParleyError with the code INVALID_SIGNATURE
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
): WebhookEvent {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new ArgumentError(
      'body must be the text or the bytes of the request as they were received, not parsed',
    );
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  try {
    return new Webhook(secret).verify(text, toRecord(headers)) as WebhookEvent;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The webhook cannot be trusted: ${reason}`;
    throw new ParleyError({ code: 'INVALID_SIGNATURE', message, cause: error });
  }
}

function toRecord(headers: WebhookHeaders): Record<string, string> {
  const entries = headers instanceof Headers ? [...headers.entries()] : Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value ?? '')]));
}
