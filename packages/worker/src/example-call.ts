import { randomUUID } from 'node:crypto';
import type { Agent, CallStart } from './messages';
import { EXAMPLE_CALL_START } from './wire';

/** Fields of a call start that differ from those of an example. */
export type CallStartChanges = Partial<Omit<CallStart, 'agent'>> & { agent?: Partial<Agent> };

/** A complete call start, with these changes. */
export function exampleCall(changes: CallStartChanges = {}): CallStart {
  const now = Date.now();
  const { agent, ...example } = structuredClone(EXAMPLE_CALL_START);
  const greeting = changes.greeting ?? example.greeting;
  return {
    ...example,
    conversation_id: randomUUID(),
    workspaceId: randomUUID(),
    userId: randomUUID(),
    agent_id: randomUUID(),
    agent_version: 1,
    to_number: changes.call_type === 'webcall' ? '' : example.to_number,
    external_id: '',
    traceparent: '',
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + 60_000).toISOString(),
    knowledge_bases: [],
    tools: [],
    analysis: { fields: [], criteria: [] },
    ...changes,
    greeting,
    agent: {
      ...agent,
      type: 'hybrid',
      voiceConfig: { ...agent.voiceConfig, model: '' },
      knowledgeBases: [],
      greeting,
      ...changes.agent,
    },
  };
}
