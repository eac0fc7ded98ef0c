import type { ServerResponse } from 'node:http';
import { createAgent } from './agents';
import { AgentCalls } from './calls';
import type { Answer, ApiClient } from './client';
import { type TestWorkspace, useOwnParley } from './parley';
import { useStarted } from './use-started';
import { WebhookReceiver } from './webhook-receiver';
import { type TakenCall, TestWorker } from './worker';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- data as the API shows them
export type Shown = any;

export const PARAMETERS = {
  type: 'object',
  properties: {
    day: { type: 'string', maxLength: 10, pattern: '^\\d' },
    persons: { type: 'integer', minimum: 1, maximum: 12 },
    wishes: { type: 'array', items: { type: 'string', enum: ['window', 'quiet'] }, maxItems: 2 },
    guest: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  },
  required: ['day'],
};

export const MONDAY = { day: '2026-03-02', persons: 2 };

export const answeringJson =
  (body: unknown, status = 200) =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

/** A server, a shop that its tool `book_table` asks, and a runtime. Each test has its own workspace and path of the shop. */
export function useToolShop({ mayReachPrivateAddresses = true } = {}) {
  const parley = useOwnParley({
    ALLOW_PRIVATE_ADDRESSES: String(mayReachPrivateAddresses),
    ...{ LEASE_SECONDS: '600', TOOL_CONCURRENCY: '3' },
  });
  const worker = useStarted(() => TestWorker.start(parley));
  const shop = useStarted(() => WebhookReceiver.start());
  const tried = {} as { workspace: TestWorkspace; path: string };
  let paths = 0;

  beforeEach(async () => {
    tried.workspace = await parley.workspace();
    tried.path = `/bookings/${paths++}`;
  });
  afterEach(() => shop.release(tried.path));

  const createTool = async (fields: object = {}): Promise<string> => {
    const { status, body } = await tried.workspace.api.post('/api/tools', {
      ...{ name: 'book_table', description: 'Books a table.' },
      ...{ parameters: PARAMETERS, url: shop.url(tried.path) },
      ...fields,
    });
    if (status !== 201) throw new Error(`Creating a tool answered ${status}: ${JSON.stringify(body)}`);
    return body.data.tool_id as string;
  };
  const takeCall = async (fields: object = {}, actions = ['book_table']): Promise<TakenCall> => {
    const agentId = await createAgent(tried.workspace, { actions });
    const id = await new AgentCalls(tried.workspace.api, agentId).start(fields);
    return (await worker.findOffer(id)).take();
  };
  const own = ({ api }: TakenCall, headers: Record<string, string> = {}): ApiClient =>
    parley.api.with({ authorization: `Bearer ${api.token}`, ...headers });
  const ask = (
    call: TakenCall,
    given: object = MONDAY,
    { key, tool = 'book_table', ...more }: { key?: string; tool?: string } & Record<string, unknown> = {},
  ): Promise<Answer> =>
    own(call, key === undefined ? {} : { 'idempotency-key': key }).post(
      `/api/calls/${call.conversationId}/tools/${tool}`,
      { arguments: given, ...more },
    );
  const asked = async (...parameters: Parameters<typeof ask>): Promise<Shown> => {
    const { status, body } = await ask(...parameters);
    if (status !== 200) throw new Error(`Asking answered ${status}: ${JSON.stringify(body)}`);
    return body.data;
  };
  const wait = async (call: TakenCall, id: string, waitMs = 10_000): Promise<Shown> =>
    (await own(call).get(`/api/calls/${call.conversationId}/tools/invocations/${id}?wait_ms=${waitMs}`)).body
      .data;
  const list = async ({ conversationId }: TakenCall): Promise<Shown> =>
    (await tried.workspace.api.get(`/api/calls/${conversationId}/tools`)).body.data;
  /** The requests that the shop got. */
  const bookings = () => shop.received.filter((request) => request.path.startsWith(tried.path));

  return { tried, parley, worker, shop, createTool, takeCall, own, ask, asked, wait, list, bookings };
}
