import type { ApiClient } from '../support/client';

const ANSWER_TIMEOUT_MS = 20_000;

/**
 * How the start of a call came out:
 * `answered` 200; `refused` with the word that it won't be placed; `uncertain`, which says that it may be placed;
 * `silent` without any answer.
 */
export type Outcome = 'answered' | 'refused' | 'uncertain' | 'silent';

/** Where calls are started. */
export interface Line {
  api: ApiClient;
  workspaceId: string;
  agentId: string;
}

/** A request to start a call, and how it came out. */
export class Start {
  outcome: Outcome = 'silent';
  /** The conversation's id, or what was answered instead. */
  answer = '';
  /** Every conversation it was answered with. */
  readonly answers = new Set<string>();

  /** @param key the Idempotency-Key, under which it may be sent again */
  constructor(
    private readonly line: Line,
    readonly number: string,
    private readonly webhookUrl: string | undefined,
    private readonly key: string | undefined,
  ) {}

  /** Whether sending it again tells what became of it, and starts nothing new; a refusal leaves its key unused. */
  get canBeSentAgain(): boolean {
    return this.key !== undefined && this.outcome !== 'refused';
  }

  /** @returns false where another attempt of it is under way */
  async send(): Promise<boolean> {
    const { api, agentId } = this.line;
    try {
      const { status, body } = await api.raw(`/api/agents/${agentId}/calls`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(this.key && { 'idempotency-key': this.key }) },
        body: JSON.stringify({ to_number: this.number, webhook_url: this.webhookUrl }),
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      });
      if (status === 409) return false;
      const answer = JSON.stringify(body);
      if (status === 200) {
        [this.outcome, this.answer] = ['answered', body.data.conversation_id];
        this.answers.add(this.answer);
      } else
        [this.outcome, this.answer] = [answer.includes('may still be') ? 'uncertain' : 'refused', answer];
    } catch (error) {
      [this.outcome, this.answer] = ['silent', String((error as Error).cause ?? error)];
    }
    return true;
  }

  toJSON() {
    const { number, key, outcome, answer, answers } = this;
    return { number, key, outcome, answer, answers: [...answers] };
  }
}
