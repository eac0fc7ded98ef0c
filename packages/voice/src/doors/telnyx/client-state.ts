import { parseFrame } from '../../json-frames';

/** Telnyx repeats this in all that it says about a call. The key is a secret of the call. */
export interface CallState {
  call: string;
  key: string;
  /** The place of the process that has the call. */
  holder?: string;
  /** The address at which other processes reach that one. */
  peer?: string;
  /** The person was connected with another number: no process holds the call any more. */
  isTransferred?: boolean;
  /** Only in the state of the leg to another number: the id of the leg of the person. */
  person?: string;
}

export const writeState = (state: CallState) => Buffer.from(JSON.stringify(state)).toString('base64');

/** @returns undefined if it is no state of a call of this runtime */
export function readState(text: unknown): CallState | undefined {
  if (typeof text !== 'string') return undefined;
  const { call, key, holder, peer, isTransferred, person } =
    parseFrame(Buffer.from(text, 'base64').toString()) ?? {};
  if (typeof call !== 'string' || typeof key !== 'string') return undefined;
  return {
    call,
    key,
    ...(typeof holder === 'string' ? { holder } : {}),
    ...(typeof peer === 'string' ? { peer } : {}),
    ...(isTransferred === true ? { isTransferred } : {}),
    ...(typeof person === 'string' ? { person } : {}),
  };
}
