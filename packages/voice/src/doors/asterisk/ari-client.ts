import { parseFrame } from '../json-frames';

const TIMEOUT_MS = 10_000;

export interface AriAccount {
  /** Such as `http://pbx.example.com:8088`. */
  apiUrl: string;
  username: string;
  password: string;
}

/** Asterisk refused a request. */
export class AriError extends Error {
  constructor(
    readonly status: number,
    reason: string,
  ) {
    super(`Asterisk answered ${status}${reason && `: ${reason}`}`);
    this.name = 'AriError';
  }
}

/** The REST interface of Asterisk. The ids of channels are chosen here, so a request may come twice. */
export class AriClient {
  constructor(private readonly account: AriAccount) {}

  get authorization(): string {
    const { username, password } = this.account;
    return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  }

  /** @returns the answer, or undefined if what it is about has gone */
  async request(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    query: Record<string, string> = {},
    body?: object,
  ): Promise<unknown> {
    const parameters = new URLSearchParams(query).toString();
    const response = await fetch(`${this.account.apiUrl}/ari/${path}${parameters && `?${parameters}`}`, {
      method,
      headers: { authorization: this.authorization, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    if (response.ok) return text === '' ? {} : (JSON.parse(text) as unknown);
    if (response.status === 404) return undefined;
    const { message } = parseFrame(text) ?? {};
    throw new AriError(response.status, typeof message === 'string' ? message.slice(0, 200) : '');
  }
}
