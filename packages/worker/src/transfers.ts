import { createAccess, type ApiOptions, repeatUntilAnswered } from './api-access';
import type { ApiOfCall } from './messages';

const TIMEOUT_MS = 5_000;
const ATTEMPTS = 3;
const PAUSE_MS = 1_000;

/** The server's permission to connect the person of a call with another number. */
export interface AllowedTransfer {
  /** The number to call, E.164. */
  to: string;
  /** The longest time for which both may be connected. */
  maximumSeconds: number;
}

interface AllowedTransferData {
  to_number: string;
  maximum_seconds: number;
}

/** Asks the server, with the credentials of calls, whether they may be transferred. */
export class Transfers {
  constructor(private readonly options: ApiOptions) {}

  /** @throws Error if the server refuses it, or does not answer in three attempts */
  async allow(
    { id, api }: { id: string; api: ApiOfCall | undefined },
    to: string,
    signal: AbortSignal,
  ): Promise<AllowedTransfer> {
    // An API key may not ask.
    const { url, headers } = createAccess(
      { url: this.options.url, key: undefined },
      api,
      'call.allowTransfer',
    );
    const request = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ to_number: to }),
    };
    const allowed = await repeatUntilAnswered<AllowedTransferData>(
      () => {
        const within = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
        return fetch(`${url}/api/calls/${id}/transfers`, { ...request, signal: within });
      },
      'The transfer was refused',
      { isLast: (attempt) => attempt === ATTEMPTS || signal.aborted, pauseMs: PAUSE_MS, signal },
    );
    return { to: allowed.to_number, maximumSeconds: allowed.maximum_seconds };
  }
}
