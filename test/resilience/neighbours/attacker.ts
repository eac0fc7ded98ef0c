import { type Answer, ApiClient } from '../../support/client';

const ANSWER_TIMEOUT_MS = 60_000;

/** The server to attack and the credential to use. */
export interface Target {
  url: string;
  /** The API key of the attacker's workspace. */
  apiKey: string;
  agentId: string;
  rabbitmqUrl?: string;
  brokerPrefix: string;
}

/** Sends requests with one normal credential, and counts the answers by status. */
export class Attacker {
  readonly answers: Record<string, number> = {};
  /** The first body with each status. */
  readonly bodies: Record<string, string> = {};
  /** The ids of what an attack has prepared, by name. */
  readonly prepared = new Map<string, string>();
  requests = 0;
  private readonly api: ApiClient;

  constructor(readonly target: Target) {
    this.api = new ApiClient(target.url);
  }

  get(path: string, credential?: Record<string, string>): Promise<Answer | undefined> {
    return this.raw(path, { headers: credential });
  }

  send(method: string, path: string, body?: object): Promise<Answer | undefined> {
    return this.json(method, path, body === undefined ? undefined : JSON.stringify(body));
  }

  /** @param body is sent unchanged */
  json(method: string, path: string, body?: string, abortAfterMs?: number): Promise<Answer | undefined> {
    const headers = { 'content-type': 'application/json' };
    return this.raw(path, { method, body, headers }, abortAfterMs);
  }

  /** @returns undefined if there was no answer */
  raw(path: string, init: RequestInit, abortAfterMs?: number): Promise<Answer | undefined> {
    const headers = (init.headers ?? {}) as Record<string, string>;
    const hasCredential = 'authorization' in headers || 'x-api-key' in headers;
    const credential: Record<string, string> = hasCredential ? {} : { 'x-api-key': this.target.apiKey };
    return this.request(path, { ...init, headers: { ...credential, ...headers } }, abortAfterMs);
  }

  /** Sends requests without a credential, from another address than that of the neighbour. */
  anonymously(path: string, init: RequestInit = {}): Promise<Answer | undefined> {
    return this.request(path, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), 'x-forwarded-for': '198.51.100.7' },
    });
  }

  count(answer: string): void {
    this.answers[answer] = (this.answers[answer] ?? 0) + 1;
  }

  private async request(path: string, init: RequestInit, abortAfterMs?: number): Promise<Answer | undefined> {
    this.requests += 1;
    try {
      const answer = await this.api.raw(path, {
        ...init,
        signal: AbortSignal.timeout(abortAfterMs ?? ANSWER_TIMEOUT_MS),
      });
      this.count(`${answer.status}`);
      this.bodies[answer.status] ??= JSON.stringify(answer.body).slice(0, 300);
      return answer;
    } catch {
      this.count(abortAfterMs === undefined ? 'failed' : 'aborted');
      return undefined;
    }
  }
}
