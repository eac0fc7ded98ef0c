import type { ReceivedWebhook } from '../../support/webhook-receiver';
import type { ApiClient } from '../../support/client';

/** The time that a tool has, in milliseconds. */
export const TOOL_MS = 3_000;

/** The shop honours no `Idempotency-Key` here: each request books a table. */
export const BOOK_TABLE = 'book_table';
const ORDER_MEAL = 'order_meal';
const FIND_TABLE = 'find_table';

const PATHS = '/tools/';
export const toolPath = (name: string) => `${PATHS}${name}`;

const TOOLS = [
  { name: BOOK_TABLE },
  { name: ORDER_MEAL, idempotent: true },
  { name: FIND_TABLE, method: 'GET' },
];

/** The names of the tools that do something. */
export const EFFECTS = [BOOK_TABLE, ORDER_MEAL];

/** Creates the tools of the agents. @returns their names */
export async function createTools(api: ApiClient, toUrl: (path: string) => string): Promise<string[]> {
  const parameters = { type: 'object', properties: { number: { type: 'string' } } };
  for (const tool of TOOLS) {
    const fields = { description: 'Asks the shop.', parameters, timeout_ms: TOOL_MS, ...tool };
    await api.post('/api/tools', { ...fields, url: toUrl(toolPath(tool.name)) });
  }
  return TOOLS.map(({ name }) => name);
}

/** A request of a tool, as the shop got it. */
export interface ToolRequest {
  tool: string;
  callId: string;
  invocationId: string;
}

export function readToolRequest({ path, headers }: ReceivedWebhook): ToolRequest {
  const tool = path.slice(PATHS.length).replace(/\?.*/, '');
  const [callId, invocationId] = [headers['x-parley-call-id'], headers['idempotency-key']];
  return { tool, callId: String(callId), invocationId: String(invocationId) };
}

export const isToolRequest = ({ path }: ReceivedWebhook) => path.startsWith(PATHS);
