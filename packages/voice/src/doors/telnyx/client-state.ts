import { parseFrame } from '../json-frames';

/** Telnyx repeats this in all that it says about a call. The key is a secret of the call. */
export interface CallState {
  call: string;
  key: string;
}

export const writeState = (state: CallState) => Buffer.from(JSON.stringify(state)).toString('base64');

/** The state of calls that were connected with another number: they are nobody's here. */
export const TRANSFERRED = Buffer.from('transferred').toString('base64');

/** @returns undefined if it is no state of a call of this runtime */
export function readState(text: unknown): CallState | undefined {
  if (typeof text !== 'string') return undefined;
  const { call, key } = parseFrame(Buffer.from(text, 'base64').toString()) ?? {};
  return typeof call === 'string' && typeof key === 'string' ? { call, key } : undefined;
}
