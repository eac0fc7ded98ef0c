import { fillPath, parametersInPath, toText } from '@parley/voice';
import { fillVariables } from '@parley/worker';
import { Webhook } from 'standardwebhooks';
import type { OfferedTool } from '../tools/tool-definition';
import type { ToolRequest } from '../tools/tool-client';
import { fillHeaders } from '../tools/tool-headers';
import type { RequestFacts } from './tool-invocations.repository';

/** An invocation with all that its request needs. */
export interface WorkToSend extends RequestFacts {
  id: string;
  workspaceId: string;
  callId: string;
  agentId: string;
  tool: OfferedTool;
  arguments: Record<string, unknown>;
  /** Whether a request was sent before, perhaps, whose answer is not known. */
  wasSent: boolean;
}

/** @param signingSecrets of the workspace; each signs, as webhooks are signed */
export function createToolRequest(work: WorkToSend, signingSecrets: string[]): ToolRequest {
  const { tool } = work;
  const { url, body } = tool.tool_id === null ? addressRequest(work) : toolRequest(work);
  return {
    url,
    method: tool.method,
    body,
    headers: {
      accept: 'application/json',
      ...createHeaders(work, signingSecrets, body ?? ''),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
  };
}

/** The headers of each request of an invocation: those of its tool, its key, and its signature. */
export function createHeaders(
  { id, tool, secrets, callId, agentId }: WorkToSend,
  signingSecrets: string[],
  body: string,
): Record<string, string> {
  const now = new Date();
  return {
    'user-agent': 'Parley/1.0',
    ...fillHeaders(tool.headers, secrets ?? {}),
    'idempotency-key': id,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': signingSecrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
    ...(callId && { 'x-parley-call-id': callId, 'x-parley-agent-id': agentId }),
  };
}

/** The arguments of the model and the fixed values, which count more. */
export const listArguments = (work: WorkToSend): Record<string, unknown> => ({
  ...work.arguments,
  ...Object.fromEntries(Object.entries(work.tool.fixed).map(([name, text]) => [name, fill(text, work)])),
});

/** The body that actions with an address have had before there were tools. */
const addressRequest = ({ tool, callId, agentId, arguments: given }: WorkToSend) => ({
  url: tool.url,
  body: JSON.stringify({ call_id: callId, agent_id: agentId, action: tool.name, arguments: given }),
});

function toolRequest(work: WorkToSend): Pick<ToolRequest, 'url' | 'body'> {
  const { tool, arguments: given } = work;
  const inPath = parametersInPath(tool.url);
  const url = new URL(fillPath(tool.url, given));
  const sent = Object.entries(listArguments(work)).filter(([name]) => !inPath.includes(name));
  const isInQuery = tool.method === 'GET' || tool.method === 'DELETE';
  if (!isInQuery) return { url: url.href, body: JSON.stringify(Object.fromEntries(sent)) };
  for (const [name, value] of sent) url.searchParams.append(name, toText(value));
  return { url: url.href, body: undefined };
}

const fill = (text: string, { callId, agentId, toNumber, fromNumber, variables }: WorkToSend) =>
  fillVariables(text, {
    ...variables,
    ...{ call_id: callId, agent_id: agentId, to_number: toNumber, from_number: fromNumber },
  });
