import { shorten } from '@parley/worker';
import { withoutSecrets } from '../../errors';
import { parseFrame } from '../../json-frames';

const TIMEOUT_MS = 10_000;
/** The numbers of persons belong in no log. */
const NUMBERS = /\+?\d[\d ().-]{3,}/g;

export interface AriAccount {
  /** Such as `http://pbx.example.com:8088`. */
  apiUrl: string;
  username: string;
  password: string;
}

/**
 * The ids of channels: those of Asterisk, such as `Asterisk01-1267568856.11`, and those that its programs choose (its
 * documents, "Introduction to ARI and Channels"). They become a part of addresses, and of lists with commas.
 */
export const CHANNEL_ID = /^(?!\.+$)[^\s/\\?#%,]{1,150}$/;

export const isChannelId = (id: unknown): id is string => typeof id === 'string' && CHANNEL_ID.test(id);

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

/** Whether Asterisk does not know what a request was about: it has ended. */
export const isGone = (error: unknown) => error instanceof AriError && error.status === 404;

/** The REST interface of Asterisk. The ids of channels are chosen here, so a request may come twice. */
export class AriClient {
  constructor(private readonly account: AriAccount) {}

  get authorization(): string {
    return `Basic ${this.basic}`;
  }

  private get basic(): string {
    const { username, password } = this.account;
    return Buffer.from(`${username}:${password}`).toString('base64');
  }

  /** @returns undefined if it has ended */
  async get(path: string): Promise<unknown> {
    try {
      return await this.request('GET', path);
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  }

  /** Ends something, which may have ended already. */
  async remove(path: string, query: Record<string, string> = {}): Promise<void> {
    try {
      await this.request('DELETE', path, query);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  /** @throws AriError if Asterisk refuses, or does not know what it is about */
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
    const answer = text === '' ? {} : parseFrame(text);
    if (response.ok && answer) return answer;
    const reason = typeof answer?.message === 'string' ? answer.message : '';
    const words = shorten(withoutSecrets(reason, [this.account.password, this.basic]), 200);
    throw new AriError(response.status, words.replace(NUMBERS, '…'));
  }
}
