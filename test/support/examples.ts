import { randomInt, randomUUID } from 'node:crypto';
import type { Answer, ApiClient } from './client';
import { createAgent } from './agents';
import type { TestParley, TestWorkspace } from './parley';
import { operations } from './openapi';
import { addPastCalls } from './past-calls';
import { newPhoneNumber } from './phone-numbers';
import { buildPath, type Route, ROUTES } from './routes';

/** The id of a resource for each path parameter. */
export type ResourceIds = Record<string, string>;

let knowledgeBases = 0;

let people = 0;

let tools = 0;

let rehearsals = 0;

let codes = 0;

let savedViews = 0;

/** Fields of examples that must refer to existing resources, or must be unique. */
const replacedFields: Record<string, (resourceIds: ResourceIds) => object> = {
  'PUT /api/agents/{agent_id}/phone-number': () => ({ phone_number: newPhoneNumber() }),
  'POST /api/phone-number': () => ({ phone_number: newPhoneNumber() }),
  'POST /api/do-not-call': () => ({ phone_number: newPhoneNumber() }),
  'POST /api/agents/{agent_id}/trials': ({ call_id }) => ({ call_id }),
  'PUT /api/notes': () => ({ phone_number: newPhoneNumber() }),
  'PUT /api/saved-views': () => ({ name: `Own ${savedViews++}` }),
  'POST /api/erasures': () => ({ phone_number: newPhoneNumber() }),
  'POST /api/knowledge-base': () => ({ name: `Own ${knowledgeBases++}` }),
  'POST /api/agents/knowledge-bases/{kb_id}/assign': ({ agent_id }) => ({ assistant_ids: [agent_id] }),
  'POST /api/agents/knowledge-bases/{kb_id}/unassign': ({ agent_id }) => ({ assistant_ids: [agent_id] }),
  // A private address, which the server does not reach.
  'POST /api/tools': () => ({ name: `own_${tools++}`, url: 'http://10.0.0.1/' }),
  'PUT /api/tools/{tool_id}': () => ({ name: `own_${tools++}` }),
  'POST /api/agents/{agent_id}/rehearsals': () => ({ name: `own-${rehearsals++}` }),
  'PUT /api/agents/{agent_id}/rehearsals/{rehearsal_id}': () => ({ name: `own-${rehearsals++}` }),
  'POST /api/agents/{agent_id}/rehearsals/from-call': ({ call_id, spoken_call_id = call_id }) => ({
    ...{ call_id: spoken_call_id, name: `own-${rehearsals++}` },
  }),
  'POST /api/agents/{agent_id}/rehearsal-runs': (ids) => {
    const stored = exampleBody('POST /api/agents/{agent_id}/rehearsals', 'application/json', ids);
    return { only: undefined, rehearsals: [{ ...stored, name: `own-${rehearsals++}-run` }] };
  },
  'POST /api/code': () => ({
    resources: [{ kind: 'agent', slug: `own-${codes++}`, base: null, definition: { type: 'inbound' } }],
  }),
  // A private address, to which nothing is sent.
  'POST /api/webhooks/endpoints': () => ({ url: 'http://10.0.0.1/' }),
  'PATCH /api/webhooks/endpoints/{endpoint_id}': () => ({ enabled: true }),
  'POST /api/people': () => ({ email: `person-${people++}@example.com` }),
  // A one-time link is sent without another credential.
  'POST /api/session': () => ({ token: undefined }),
  'POST /api/session/preview': () => ({ token: undefined }),
  'POST /api/campaign/validate': ({ agent_id }) => ({ assistantId: agent_id }),
  'POST /api/campaign': ({ agent_id, recipient_number = '+15551234567' }) => ({
    assistantId: agent_id,
    file: `phone_number,customer_name\n${recipient_number},Ada\n`,
  }),
};

function createForm({ file, ...fields }: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append('file', new Blob([file as string]), 'example.txt');
  return form;
}

/** The documented example of a body, changed so that the route accepts it. */
export const exampleBody = (
  route: string,
  contentType: string,
  resourceIds: ResourceIds,
): Record<string, unknown> => ({
  ...(operations[route]?.requestBody?.content[contentType]?.example as object),
  ...replacedFields[route]?.(resourceIds),
});

/** The documented example for a route, as a form if the route takes one; `{}` if no body is documented. */
function getBody({ name, method }: Route, resourceIds: ResourceIds): object | undefined {
  if (!['POST', 'PUT', 'PATCH'].includes(method)) return undefined;
  const { 'multipart/form-data': form } = operations[name]?.requestBody?.content ?? {};
  return form
    ? createForm(exampleBody(name, 'multipart/form-data', resourceIds))
    : exampleBody(name, 'application/json', resourceIds);
}

/** The required query of a route. */
export const queries: Record<string, string> = {
  'GET /api/knowledge-base/{kb_id}/search': 'query=open',
  'GET /api/notes': 'phone_number=%2B15551234567',
  'GET /api/recipients': 'search=ada',
};

/**
 * Sends a valid request to a route.
 * @param changes to fields of its body
 * @param query is added to its path
 */
export function sendTo(
  api: ApiClient,
  route: Route,
  resourceIds: ResourceIds,
  { changes = {}, query = '' }: { changes?: object; query?: string } = {},
): Promise<Answer> {
  const fullQuery = [queries[route.name], query].filter(Boolean).join('&');
  const path = buildPath(route, resourceIds) + (fullQuery && `?${fullQuery}`);
  const body = getBody(route, resourceIds);
  if (!(body instanceof FormData)) return api.send(route.method, path, body && { ...body, ...changes });
  for (const [name, value] of Object.entries(changes)) {
    body.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return api.raw(path, { method: route.method, body });
}

const readData = async (answer: Promise<Answer>) => (await answer).body.data as Record<string, string>;

/** Creates the resource of an example, and gives its data. */
const create = (api: ApiClient, name: string, ids: ResourceIds = {}) =>
  readData(sendTo(api, ROUTES.find((route) => route.name === name) as Route, ids));

/** Create what belongs to an agent or a workspace, by the parameter of the route that deletes it. */
const CREATORS: Record<string, (api: ApiClient, agentId: string) => Promise<ResourceIds>> = {
  call_id: async (api, agentId) => {
    const call = await readData(api.post(`/api/agents/${agentId}/calls`, { to_number: '+15551234567' }));
    return { call_id: call.conversation_id as string, conversation_id: call.conversation_id as string };
  },
  key_id: async (api) => ({
    key_id: (await readData(api.post('/api/auth/api-keys', {}))).keyId as string,
  }),
  template_id: async (api) => {
    const { template_id } = await create(api, 'POST /api/prompt-templates');
    return { template_id: template_id as string };
  },
  view_id: async (api) => {
    const { view_id } = await create(api, 'PUT /api/saved-views');
    return { view_id: view_id as string };
  },
  recipient_number: async (api, agent_id) => {
    const recipient_number = newPhoneNumber();
    const { campaign_id } = await create(api, 'POST /api/campaign', { agent_id, recipient_number });
    return { campaign_id: campaign_id as string, recipient_number };
  },
  delivery_id: async (api) => {
    const { delivery_id } = await create(api, 'POST /api/webhooks/test');
    return { delivery_id: delivery_id as string };
  },
  endpoint_id: async (api) => {
    const { endpoint_id } = await create(api, 'POST /api/webhooks/endpoints');
    return { endpoint_id: endpoint_id as string };
  },
  number: async (api) => ({ number: (await create(api, 'POST /api/phone-number')).number as string }),
  phone_number: async (api) => ({
    phone_number: (await create(api, 'POST /api/do-not-call')).phone_number as string,
  }),
  erasure_id: async (api) => ({ erasure_id: (await create(api, 'POST /api/erasures')).erasure_id as string }),
  session_id: async (api) => {
    // The answer to the request that begins a session has no id.
    await api.post('/api/session', {});
    return { session_id: (await api.get('/api/sessions?limit=1')).body.data[0].id as string };
  },
  person_id: async (api) => ({ person_id: (await create(api, 'POST /api/people')).person_id as string }),
  rehearsal_id: async (api, agent_id) => {
    const { rehearsal_id } = await create(api, 'POST /api/agents/{agent_id}/rehearsals', { agent_id });
    return { rehearsal_id: rehearsal_id as string };
  },
  run_id: async (api, agent_id) => {
    // A workspace can have few runs at once.
    const { body } = await api.get('/api/rehearsal-runs?limit=100');
    for (const { run_id } of body.data as { run_id: string }[])
      await api.post(`/api/rehearsal-runs/${run_id}/cancel`, {});
    const { run_id } = await create(api, 'POST /api/agents/{agent_id}/rehearsal-runs', { agent_id });
    const run = await api.get(`/api/rehearsal-runs/${run_id}`);
    return { run_id: run_id as string, name: run.body.data.results[0].name as string };
  },
  kb_id: async (api) => {
    const { headers } = await sendTo(
      api,
      ROUTES.find(({ name }) => name === 'POST /api/knowledge-base') as Route,
      {},
    );
    // The answer has no data in the interface; the id is in the header.
    const kb_id = (headers.get('location') ?? '').replace(/^.*=/, '');
    const { body } = await api.get(`/api/knowledge-base?kb_id=${kb_id}`);
    // The last source cannot be deleted, so there are two.
    const form = new FormData();
    form.set('file', new Blob(['Open from nine to five.'], { type: 'text/plain' }), 'hours.txt');
    await api.raw(`/api/knowledge-base/${kb_id}/sources`, { method: 'POST', body: form });
    return { kb_id, source_id: body.data[0].sources[0]._id as string };
  },
};

/** Adds an invocation of which it is not known what came of it, as a server leaves it that was ended. */
export async function addUnknownInvocation(parley: TestParley, things: ResourceIds): Promise<ResourceIds> {
  const [row] = await parley.sql(
    `INSERT INTO tool_invocations (id, workspace_id, conversation_id, agent_id, tool_id, tool, key, arguments, state,
                                   lease_ms, lease_until, settled_at, settled_by)
     SELECT gen_random_uuid(), workspace_id, call.id, agent_id, tools.id, tools.name, gen_random_uuid(),
            '{"day": "1", "persons": 1}', 'unknown', 10000, now(), now(), 'server'
     FROM conversations AS call JOIN tools USING (workspace_id) WHERE call.id = $1 AND tools.id = $2 RETURNING id`,
    [things.call_id, things.tool_id],
  );
  return { ...things, invocation_id: String((row as { id: unknown }).id) };
}

/** Adds a call of the agent that has ended, in which the person spoke. */
export async function addSpokenCall(
  parley: TestParley,
  workspace: TestWorkspace,
  things: ResourceIds,
): Promise<ResourceIds> {
  const spoken_call_id = randomUUID();
  const call = `
    SELECT $2::uuid AS id, agent_id, max(version) AS agent_version, now() AS created_at, 'phonecall' AS call_type,
           'disconnected' AS status, 30 AS duration_sec
    FROM agent_versions WHERE agent_id = $3 GROUP BY agent_id`;
  await addPastCalls(parley, workspace, call, [spoken_call_id, things.agent_id]);
  await parley.sql(
    `WITH transcript AS (INSERT INTO call_transcripts (conversation_id, turns) VALUES ($1, 1))
     INSERT INTO transcript_turns (conversation_id, sequence, speaker, text, started_at)
     VALUES ($1, 0, 'user', 'A table for two, please.', now())`,
    [spoken_call_id],
  );
  return { ...things, spoken_call_id };
}

/** Adds what the example of a route needs, and no route makes. */
export async function prepareExample(
  parley: TestParley,
  workspace: TestWorkspace,
  { name }: Route,
  things: ResourceIds,
): Promise<ResourceIds> {
  if (name.includes('/deployment/')) {
    // An agent with a version that calls use, and a draft.
    const path = `/api/agents/${things.agent_id}`;
    await workspace.api.patch(`${path}/deployment`, { publish: 'gated' });
    await workspace.api.put(path, {
      type: 'inbound',
      greeting: randomUUID(),
      deployment: { status: 'draft' },
    });
    if (name.endsWith('/rollback'))
      await workspace.api.post(`${path}/deployment/publish`, { force: true, reason: 'It is rolled back.' });
  }
  // A workspace can have 20 endpoints.
  if (name === 'POST /api/webhooks/endpoints')
    await parley.sql(`DELETE FROM webhook_endpoints WHERE workspace_id = $1 AND id <> $2`, [
      workspace.workspaceId,
      things.endpoint_id,
    ]);
  if (name.includes('/tool-invocations/')) return addUnknownInvocation(parley, things);
  return name.endsWith('/from-call') ? addSpokenCall(parley, workspace, things) : things;
}

export async function createResources(workspace: TestWorkspace): Promise<ResourceIds> {
  const { api } = workspace;
  // The version belongs to this agent only, as its id is in the path.
  const version = randomInt(100_000_000, 1_000_000_000);
  const tool = await create(api, 'POST /api/tools');
  const agent_id = await createAgent(workspace, { deployment: { version }, actions: [tool.name] });
  const others = await Promise.all(Object.values(CREATORS).map((creator) => creator(api, agent_id)));
  const tool_id = tool.tool_id as string;
  const own = { agent_id, version: String(version), tool_id, tool_name: tool.name as string };
  return Object.assign(own, { invocation_id: tool_id }, ...others) as ResourceIds;
}

/** The parameters of what is created together with another resource. */
const CREATED_WITH: Record<string, string> = {
  conversation_id: 'call_id',
  source_id: 'kb_id',
  campaign_id: 'recipient_number',
};

/** Creates again what a request to this route has deleted or ended: all resources, if others belong to it. */
export async function restoreResources(
  workspace: TestWorkspace,
  { parameters }: Route,
  things: ResourceIds,
): Promise<ResourceIds> {
  const [deleted] = parameters.slice(-1);
  if (deleted === undefined) return things;
  const creator = CREATORS[CREATED_WITH[deleted] ?? deleted];
  return creator
    ? { ...things, ...(await creator(workspace.api, things.agent_id as string)) }
    : createResources(workspace);
}
