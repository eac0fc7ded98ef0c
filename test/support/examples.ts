import { randomInt } from 'node:crypto';
import type { Answer, ApiClient } from './client';
import { createAgent } from './agents';
import type { TestParley, TestWorkspace } from './parley';
import { operations } from './openapi';
import { buildPath, type Route, ROUTES } from './routes';

/** The id of a resource for each path parameter. */
export type ResourceIds = Record<string, string>;

let phoneNumbers = 0;

const newPhoneNumber = () => `+1555${String(2_000_000 + phoneNumbers++)}`;

let knowledgeBases = 0;

let people = 0;

let tools = 0;

let rehearsals = 0;

/** Fields of examples that must refer to existing resources, or must be unique. */
const replacedFields: Record<string, (resourceIds: ResourceIds) => object> = {
  'PUT /api/agents/{agent_id}/phone-number': () => ({ phone_number: newPhoneNumber() }),
  'POST /api/phone-number': () => ({ phone_number: newPhoneNumber() }),
  'POST /api/do-not-call': () => ({ phone_number: newPhoneNumber() }),
  'POST /api/agents/{agent_id}/trials': ({ call_id }) => ({ call_id }),
  'PUT /api/notes': () => ({ phone_number: newPhoneNumber() }),
  'POST /api/erasures': () => ({ phone_number: newPhoneNumber() }),
  'POST /api/knowledge-base': () => ({ name: `Own ${knowledgeBases++}` }),
  'POST /api/agents/knowledge-bases/{kb_id}/assign': ({ agent_id }) => ({ assistant_ids: [agent_id] }),
  'POST /api/agents/knowledge-bases/{kb_id}/unassign': ({ agent_id }) => ({ assistant_ids: [agent_id] }),
  // A private address, which the server does not reach.
  'POST /api/tools': () => ({ name: `own_${tools++}`, url: 'http://10.0.0.1/' }),
  'PUT /api/tools/{tool_id}': () => ({ name: `own_${tools++}` }),
  'POST /api/agents/{agent_id}/rehearsals': () => ({ name: `own-${rehearsals++}` }),
  'PUT /api/agents/{agent_id}/rehearsals/{rehearsal_id}': () => ({ name: `own-${rehearsals++}` }),
  'POST /api/agents/{agent_id}/rehearsal-runs': () => ({
    only: undefined,
    rehearsals: [{ name: `own-${rehearsals++}-run`, person: { lines: [] }, checks: [{ turns: 3 }] }],
  }),
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

/** A workspace can have few runs at once. */
async function newRun(api: ApiClient, create: (route: string) => Promise<Answer>) {
  const { body } = await api.get('/api/rehearsal-runs?limit=100');
  for (const { run_id } of body.data as { run_id: string }[])
    await api.post(`/api/rehearsal-runs/${run_id}/cancel`, {});
  const { run_id } = await readData(create('POST /api/agents/{agent_id}/rehearsal-runs'));
  const run = await api.get(`/api/rehearsal-runs/${run_id}`);
  return { run_id: run_id as string, name: run.body.data.results[0].name as string };
}

/** The answer to the request that begins a session has no id. */
async function newSession(api: ApiClient): Promise<Record<string, string>> {
  await api.post('/api/session', {});
  return (await api.get('/api/sessions?limit=1')).body.data[0] as Record<string, string>;
}

/** The first of two sources of a new knowledge base. The last source cannot be deleted. */
async function newSource(api: ApiClient, create: (route: string) => Promise<Answer>) {
  const { headers } = await create('POST /api/knowledge-base');
  // The answer has no data in the interface; the id is in the header.
  const kb_id = (headers.get('location') ?? '').replace(/^.*=/, '');
  const { body } = await api.get(`/api/knowledge-base?kb_id=${kb_id}`);
  const form = new FormData();
  form.set('file', new Blob(['Open from nine to five.'], { type: 'text/plain' }), 'hours.txt');
  await api.raw(`/api/knowledge-base/${kb_id}/sources`, { method: 'POST', body: form });
  return { kb_id, source_id: body.data[0].sources[0]._id as string };
}

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

export async function createResources(workspace: TestWorkspace): Promise<ResourceIds> {
  const { api } = workspace;
  // The version belongs to this agent only, as its id is in the path.
  const version = randomInt(100_000_000, 1_000_000_000);
  const tool = await readData(
    sendTo(api, ROUTES.find(({ name }) => name === 'POST /api/tools') as Route, {}),
  );
  const agentId = await createAgent(workspace, { deployment: { version }, actions: [tool.name] });
  const recipient_number = newPhoneNumber();
  const create = (route: string) =>
    sendTo(api, ROUTES.find(({ name }) => name === route) as Route, { agent_id: agentId, recipient_number });
  const [
    call,
    key,
    template,
    campaign,
    webhook,
    phoneNumber,
    listed,
    erasure,
    session,
    person,
    rehearsal,
    run,
    source,
  ] = await Promise.all([
    readData(api.post(`/api/agents/${agentId}/calls`, { to_number: '+15551234567' })),
    readData(api.post('/api/auth/api-keys', {})),
    readData(create('POST /api/prompt-templates')),
    readData(create('POST /api/campaign')),
    readData(create('POST /api/webhooks/test')),
    readData(create('POST /api/phone-number')),
    readData(create('POST /api/do-not-call')),
    readData(create('POST /api/erasures')),
    newSession(api),
    readData(create('POST /api/people')),
    readData(create('POST /api/agents/{agent_id}/rehearsals')),
    newRun(api, create),
    newSource(api, create),
  ]);
  return {
    agent_id: agentId,
    version: String(version),
    conversation_id: call.conversation_id as string,
    call_id: call.conversation_id as string,
    key_id: key.keyId as string,
    template_id: template.template_id as string,
    ...source,
    campaign_id: campaign.campaign_id as string,
    recipient_number,
    delivery_id: webhook.delivery_id as string,
    number: phoneNumber.number as string,
    phone_number: listed.phone_number as string,
    erasure_id: erasure.erasure_id as string,
    session_id: session.id as string,
    person_id: person.person_id as string,
    rehearsal_id: rehearsal.rehearsal_id as string,
    ...run,
    tool_id: tool.tool_id as string,
    tool_name: tool.name as string,
    invocation_id: tool.tool_id as string,
  };
}
