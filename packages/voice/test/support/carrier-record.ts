import type { IncomingMessage } from 'node:http';
import type { CarrierSettings } from '@parley/voice';
import { parseFrame, toMembers } from '../../src/json-frames';

/** A call as the REST interface of its carrier has it, also after its end. */
export interface CarrierRecord {
  isOver: boolean;
  /** Whether somebody, or a machine, has answered. undefined: the carrier does not say. */
  wasAnswered?: boolean;
  /** undefined: the carrier does not say. */
  seconds?: number;
}

const OVER = ['completed', 'busy', 'no-answer', 'failed', 'canceled'];

/** Asks the carrier of the settings, or its stand-in. @param id the carrier's own id of the call */
export async function askCarrier(settings: CarrierSettings, id: string): Promise<CarrierRecord> {
  switch (settings.name) {
    case 'twilio': {
      const { apiUrl, accountSid, authToken } = settings;
      const url = `${apiUrl}/2010-04-01/Accounts/${accountSid}/Calls/${id}.json`;
      const { status, duration } = await get(url, basic(accountSid, authToken));
      const seconds = typeof duration === 'string' ? Number(duration) : undefined;
      return { isOver: OVER.includes(String(status)), wasAnswered: status === 'completed', seconds };
    }
    case 'telnyx': {
      const url = `${settings.apiUrl}/v2/calls/${encodeURIComponent(id)}`;
      const call = toMembers((await get(url, `Bearer ${settings.apiKey}`)).data);
      return { isOver: call.is_alive === false, seconds: Number(call.call_duration) };
    }
    case 'asterisk': {
      const url = `${settings.apiUrl}/ari/channels/${encodeURIComponent(id)}`;
      const channel = await get(url, basic(settings.username, settings.password), 404);
      return { isOver: channel.id === undefined };
    }
    case 'line':
      throw new Error('The carrier on this machine keeps no records');
  }
}

const basic = (name: string, secret: string) =>
  `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;

/** @param gone the status of the answer about a call that the carrier has no more */
async function get(url: string, authorization: string, gone?: number): Promise<Record<string, unknown>> {
  const response = await fetch(url, { headers: { authorization } });
  const body: unknown = await response.json();
  if (response.ok || response.status === gone) return toMembers(body);
  throw new Error(`The carrier answered ${response.status} about a call`);
}

/** The address of a webhook about a call names it as the runtime does. */
const WEBHOOK = /^\/voice\/(?:twilio|telnyx)\/([\w-]+)/;

/** Notes the carrier's ids of calls. The first webhook about a call has both ids, later ones may be about another leg. */
export function noteCarrierId(request: IncomingMessage, ids: Map<string, string>): void {
  const [, callId] = WEBHOOK.exec(request.url ?? '') ?? [];
  if (callId === undefined || ids.has(callId)) return;
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts).toString();
    const { call_control_id: id = new URLSearchParams(body).get('CallSid') } = toMembers(
      toMembers(parseFrame(body)?.data).payload,
    );
    if (typeof id === 'string' && !ids.has(callId)) ids.set(callId, id);
  });
}
