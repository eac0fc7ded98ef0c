import { type CallStart, TYPES } from './messages';
import type { IncomingMessage } from './transport';

/** @returns the call, or the defect of the message */
export function readCallStart({ type, body }: IncomingMessage): CallStart | string {
  if (type !== TYPES.callStart) return `its type is "${type}", not ${TYPES.callStart}`;
  const start = parse(body) as Partial<CallStart> | undefined;
  if (typeof start !== 'object' || start === null) return 'it is not a JSON object in UTF-8';
  const { conversation_id, expires_at } = start;
  if (typeof conversation_id !== 'string' || conversation_id === '') return 'it has no conversation_id';
  if (typeof expires_at !== 'string' || Number.isNaN(Date.parse(expires_at)))
    return 'it has no valid expires_at';
  return start as CallStart;
}

/** @returns the id of the call that is hung up; undefined for any other command */
export function readHangUp(type: string, body: Uint8Array): string | undefined {
  if (type !== TYPES.hangUp) return undefined;
  return (parse(body) as { conversation_id?: string } | undefined)?.conversation_id;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @returns undefined if it is not JSON in UTF-8 */
function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
}
