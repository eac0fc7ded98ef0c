import { type Answer, ApiClient } from '../support/client';

const ANSWER_TIMEOUT_MS = 60_000;

/** What the attacker's process is given. */
export interface Target {
  url: string;
  /** Of the attacker's workspace. */
  apiKey: string;
  agentId: string;
  rabbitmqUrl?: string;
  brokerPrefix: string;
}

/** Sends requests with one ordinary credential, and counts what they are answered with. */
export class Attacker {
  readonly answers: Record<string, number> = {};
  /** The first body with each status. */
  readonly bodies: Record<string, string> = {};
  /** What an attack has prepared, by name. */
  readonly notes = new Map<string, string>();
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

  /** @param body as it goes over the wire */
  json(method: string, path: string, body?: string, abandonAfterMs?: number): Promise<Answer | undefined> {
    const headers = { 'content-type': 'application/json' };
    return this.raw(path, { method, body, headers }, abandonAfterMs);
  }

  /** @returns undefined without an answer */
  async raw(path: string, init: RequestInit, abandonAfterMs?: number): Promise<Answer | undefined> {
    this.requests += 1;
    const headers = init.headers ?? {};
    const credential = 'authorization' in headers || 'x-api-key' in headers;
    try {
      const answer = await this.api.raw(path, {
        ...init,
        headers: { ...(!credential && { 'x-api-key': this.target.apiKey }), ...headers },
        signal: AbortSignal.timeout(abandonAfterMs ?? ANSWER_TIMEOUT_MS),
      });
      this.count(`${answer.status}`);
      this.bodies[answer.status] ??= JSON.stringify(answer.body).slice(0, 300);
      return answer;
    } catch {
      this.count(abandonAfterMs === undefined ? 'failed' : 'abandoned');
      return undefined;
    }
  }

  count(answer: string): void {
    this.answers[answer] = (this.answers[answer] ?? 0) + 1;
  }
}
