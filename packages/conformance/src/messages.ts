/** The messages of the runtime contract, as far as the kit reads or writes them. */

import * as wire from './wire';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Body = { [key: string]: Json };

/** A message as it crossed the broker. */
export interface Message {
  /** The time in milliseconds since the scenario began. */
  at: number;
  direction: 'to-runtime' | 'from-runtime';
  type: string;
  routingKey: string;
  bytes: number;
  isPersistent: boolean;
  contentType: string;
  /** undefined: the body is not JSON */
  body: Body | undefined;
}

/** undefined: the text is no JSON object, which the scenarios judge */
export function readBody(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : undefined;
  } catch {
    return undefined;
  }
}

/** A field as text: '' if it is absent, JSON if it is not a text. */
export function fieldText(body: Body | undefined, field: string): string {
  const value = body?.[field];
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export const END_REASONS: readonly string[] = wire.DISCONNECT_REASONS;
export const PARTIES: readonly string[] = wire.PARTIES;
export const EVENT_TYPES: readonly string[] = wire.EVENT_TYPES;

export const MAX_MESSAGE_BYTES = 65_536;

const { workspaceId: WORKSPACE, agent_id: AGENT } = wire.EXAMPLE_CALL_START;

export const getRoutingKeys = (channel: string) => ({
  routingKey: `call.start.${channel}.${AGENT}`,
  workspaceRoutingKey: `call.start.${WORKSPACE}.${channel}.${AGENT}`,
});

export interface StartOptions {
  conversationId: string;
  callee: string;
  expiresInSeconds: number;
  direction?: 'outbound' | 'inbound';
  toNumber?: string;
  fromNumber?: string;
  greeting?: string;
  externalId?: string;
  tools?: Json[];
}

/** The body of a `call.start.v1`, with every field that the contract requires. */
export function callStart(options: StartOptions): Body {
  const { agent, ...example } = wire.EXAMPLE_CALL_START;
  const { direction = 'outbound', greeting = 'Hello, this is the front desk.' } = options;
  return {
    ...example,
    conversation_id: options.conversationId,
    direction,
    to_number: options.toNumber ?? example.to_number,
    from_number: options.fromNumber ?? '',
    greeting,
    dynamic_variables: { callee: options.callee },
    external_id: options.externalId ?? '',
    traceparent: '',
    created_at: new Date().toISOString(),
    expires_at: new Date(Date.now() + options.expiresInSeconds * 1_000).toISOString(),
    knowledge_bases: [],
    tools: options.tools ?? [],
    analysis: { fields: [], criteria: [] },
    agent: {
      ...agent,
      type: direction,
      prompt: 'You answer the phone of the front desk.',
      greeting,
      dynamic_variables: [],
      voiceConfig: { ...agent.voiceConfig, model: '', voiceId: 'voice' },
      knowledgeBases: [],
    },
  };
}
