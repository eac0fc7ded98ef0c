import type { ApiClient } from '../../support/client';

/** It is longer than a server may take for any answer. */
const ANSWER_TIMEOUT_MS = 60_000;

/** These say whether the call may be placed, and how to find out. */
const CLEAR = ['OUTCOME_UNKNOWN', 'DISPATCH_FAILED'];

/**
 * The outcome of a request to start a call: `answered` with 200; `refused`, so that it will not be placed; `uncertain`, so
 * that it may still be placed; `unanswered`.
 */
export type Outcome = 'answered' | 'refused' | 'uncertain' | 'unanswered';

/** An agent, and the API client of its workspace. */
export interface AgentClient {
  api: ApiClient;
  workspaceId: string;
  agentId: string;
}

/** A request to start a call, and its outcome. */
export class Start {
  readonly at = Date.now();
  outcome: Outcome = 'unanswered';
  /** The conversation's id, or the answer or error instead. */
  answer = '';
  /** The status and the code of an answer that is not 200, such as `503 DATABASE_UNAVAILABLE`. */
  refusal = '';
  /** Whether the request has failed and the client cannot tell what to do: neither to wait, nor to find out. */
  isUnclear = false;
  /** The ids of all conversations that it was answered with. */
  readonly answers = new Set<string>();

  /** @param key the Idempotency-Key with which the request can be repeated */
  constructor(
    private readonly agent: AgentClient,
    readonly number: string,
    private readonly webhookUrl: string | undefined,
    private readonly key: string | undefined,
  ) {}

  /** Whether a repeated request returns the outcome and starts no second call; a refusal leaves its key unused. */
  get isRepeatable(): boolean {
    return this.key !== undefined && this.outcome !== 'refused';
  }

  /** @returns false if it must be sent again: another attempt is in progress, or no server has time for a repetition */
  async send(): Promise<boolean> {
    const { api, agentId } = this.agent;
    try {
      const { status, headers, body } = await api.raw(`/api/agents/${agentId}/calls`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(this.key && { 'idempotency-key': this.key }) },
        body: JSON.stringify({ to_number: this.number, webhook_url: this.webhookUrl }),
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      });
      if (status === 409 || (status === 503 && this.answers.size > 0)) return false;
      const answer = JSON.stringify(body);
      if (status === 200) {
        [this.outcome, this.answer] = ['answered', body.data.conversation_id];
        this.answers.add(this.answer);
      } else
        [this.outcome, this.answer] = [answer.includes('may still be') ? 'uncertain' : 'refused', answer];
      this.refusal = status === 200 ? '' : `${status} ${body.error_code ?? 'of the balancer'}`;
      const isClear = CLEAR.includes(body.error_code) || (status === 503 && headers.has('retry-after'));
      this.isUnclear = status !== 200 && !isClear;
    } catch (error) {
      this.isUnclear = (error as Error).name === 'TimeoutError';
      this.refusal = 'no answer';
      [this.outcome, this.answer] = ['unanswered', String((error as Error).cause ?? error)];
    }
    return true;
  }

  toJSON() {
    const { number, key, outcome, answer, answers } = this;
    return { number, key, outcome, answer, answers: [...answers] };
  }
}
