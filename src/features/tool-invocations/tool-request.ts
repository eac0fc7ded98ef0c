import { fillVariables } from '@parley/worker';
import { Webhook } from 'standardwebhooks';
import type { PinnedTool } from '../tools/tool-definition';
import type { RequestFacts } from './tool-invocations.repository';

/** An invocation with all that its request needs. */
export interface WorkToSend extends RequestFacts {
  id: string;
  workspaceId: string;
  callId: string;
  agentId: string;
  tool: PinnedTool;
  arguments: Record<string, unknown>;
}

export interface ToolRequest {
  url: string;
  method: PinnedTool['method'];
  headers: Record<string, string>;
  /** undefined: the arguments are in the query */
  body: string | undefined;
}

/** @param signingSecrets of the workspace; each signs, as webhooks are signed */
export function createToolRequest(work: WorkToSend, signingSecrets: string[]): ToolRequest {
  const { tool, id, callId, agentId } = work;
  const pathParameters = [...tool.url.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  const url = new URL(
    tool.url.replaceAll(/\{([^{}]*)\}/g, (_, name: string) =>
      toText(work.arguments[name], encodeURIComponent),
    ),
  );
  const fixed = Object.entries(tool.fixed).map(([name, text]) => [name, fill(text, work)] as const);
  const given = Object.entries(work.arguments).filter(([name]) => !pathParameters.includes(name));
  const isInQuery = tool.method === 'GET' || tool.method === 'DELETE';
  if (isInQuery)
    for (const [name, value] of [...fixed, ...given]) url.searchParams.append(name, toText(value));
  const body = isInQuery ? undefined : JSON.stringify(Object.fromEntries([...fixed, ...given]));
  const now = new Date();
  return {
    url: url.href,
    method: tool.method,
    body,
    headers: {
      accept: 'application/json',
      'user-agent': 'Parley/1.0',
      ...Object.fromEntries(
        Object.entries(tool.headers).map(([name, value]) => [name.toLowerCase(), withSecrets(value, work)]),
      ),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      'idempotency-key': id,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': signingSecrets
        .map((secret) => new Webhook(secret).sign(id, now, body ?? ''))
        .join(' '),
      'x-parley-call-id': callId,
      'x-parley-agent-id': agentId,
    },
  };
}

const toText = (value: unknown, encode = (text: string) => text) =>
  encode(typeof value === 'string' ? value : JSON.stringify(value ?? ''));

const withSecrets = (value: string, { secrets }: WorkToSend) =>
  value.replaceAll(/\{\{secret:([^{}]*)\}\}/g, (_, name: string) => secrets?.[name] ?? '');

const fill = (text: string, { callId, agentId, toNumber, fromNumber, variables }: WorkToSend) =>
  fillVariables(text, {
    ...variables,
    ...{ call_id: callId, agent_id: agentId, to_number: toNumber, from_number: fromNumber },
  });
