import type { ApiClient } from './client';
import { until } from './until';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a conversation as the API shows it
type Shown = any;

/** Starts and reads the calls of an agent through the API. */
export class AgentCalls {
  constructor(
    readonly api: ApiClient,
    readonly agentId: string,
  ) {}

  /** Starts a call, which must be accepted. @returns the conversation's id */
  async start(fields: object = {}): Promise<string> {
    const { status, body } = await this.api.post(`/api/agents/${this.agentId}/calls`, {
      to_number: '+15551234567',
      ...fields,
    });
    if (status !== 200) throw new Error(`Starting a call answered ${status}: ${JSON.stringify(body)}`);
    return (body as { data: { conversation_id: string } }).data.conversation_id;
  }

  async conversation(id: string): Promise<Shown> {
    const { body } = await this.api.get(`/api/agents/${this.agentId}/conversations/${id}`);
    return (body as { data: Shown }).data;
  }

  /** Waits until the conversation has this status. */
  reached(id: string, status: string): Promise<Shown> {
    return until(async () => {
      const conversation = (await this.conversation(id)) as { status: string };
      return conversation.status === status && conversation;
    });
  }
}
