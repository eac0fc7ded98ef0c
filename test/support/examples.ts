import type { Answer, ApiClient } from './client';
import { createAgent } from './agents';
import type { TestWorkspace } from './parley';
import { operations } from './openapi';
import { pathOf, type Route, ROUTES } from './routes';

/** One thing of a workspace for each parameter that a path may have. */
export type ResourceIds = Record<string, string>;

let phoneNumbers = 0;

/** A number that nobody has been given before. */
const newPhoneNumber = () => `+1555${String(2_000_000 + phoneNumbers++)}`;

let knowledgeBases = 0;

/** What of an example of the documentation must be there already, or must not be there yet. */
const fitting: Record<string, (things: ResourceIds) => object> = {
  'PUT /api/agents/{agent_id}/phone-number': () => ({ phone_number: newPhoneNumber() }),
  'POST /api/phone-number': () => ({ phone_number: newPhoneNumber() }),
  'POST /api/knowledge-base': () => ({ name: `Ours ${knowledgeBases++}` }),
  'POST /api/agents/knowledge-bases/{kb_id}/assign': ({ agent_id }) => ({ assistant_ids: [agent_id] }),
  'POST /api/agents/knowledge-bases/{kb_id}/unassign': ({ agent_id }) => ({ assistant_ids: [agent_id] }),
  'POST /api/campaign': ({ agent_id }) => ({ assistantId: agent_id }),
};

function formOf({ file, ...fields }: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append('file', new Blob([file as string]), 'example.txt');
  return form;
}

/** The documentation's example of what a route takes of a content type, as it fits what is there. */
export const exampleBody = (
  route: string,
  contentType: string,
  things: ResourceIds,
): Record<string, unknown> => ({
  ...(operations[route]?.requestBody?.content[contentType]?.example as object),
  ...fitting[route]?.(things),
});

/** The documentation's example of a body for a route: its form where it has one, `{}` where nothing is said of a body. */
function bodyOf({ name, method }: Route, things: ResourceIds): object | undefined {
  if (method !== 'POST' && method !== 'PUT') return undefined;
  const { 'multipart/form-data': form } = operations[name]?.requestBody?.content ?? {};
  return form
    ? formOf(exampleBody(name, 'multipart/form-data', things))
    : exampleBody(name, 'application/json', things);
}

/** What the query of a route must have. */
export const queries: Record<string, string> = {
  'GET /api/knowledge-base/{kb_id}/search': 'query=open',
};

/**
 * Sends a good request to a route.
 * @param changes of its body
 * @param query after its path
 */
export function sendTo(
  api: ApiClient,
  route: Route,
  things: ResourceIds,
  { changes = {}, query = '' }: { changes?: object; query?: string } = {},
): Promise<Answer> {
  const allOfQuery = [queries[route.name], query].filter(Boolean).join('&');
  const path = pathOf(route, things) + (allOfQuery && `?${allOfQuery}`);
  const body = bodyOf(route, things);
  if (!(body instanceof FormData)) return api.send(route.method, path, body && { ...body, ...changes });
  for (const [name, value] of Object.entries(changes)) {
    body.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return api.raw(path, { method: route.method, body });
}

const dataOf = async (answer: Promise<Answer>) => (await answer).body.data as Record<string, string>;

export async function createResources(workspace: TestWorkspace): Promise<ResourceIds> {
  const { api } = workspace;
  const agentId = await createAgent(workspace);
  const create = (route: string) =>
    sendTo(api, ROUTES.find(({ name }) => name === route) as Route, { agent_id: agentId });
  const [call, key, template, campaign, webhook, phoneNumber, knowledgeBase] = await Promise.all([
    dataOf(api.post(`/api/agents/${agentId}/calls`, { to_number: '+15551234567' })),
    dataOf(api.post('/api/auth/api-keys', {})),
    dataOf(create('POST /api/prompt-templates')),
    dataOf(create('POST /api/campaign')),
    dataOf(create('POST /api/webhooks/test')),
    dataOf(create('POST /api/phone-number')),
    create('POST /api/knowledge-base'),
  ]);
  return {
    agent_id: agentId,
    conversation_id: call.conversation_id as string,
    key_id: key.keyId as string,
    template_id: template.template_id as string,
    // The interface has no data in the answer; the id is in the header.
    kb_id: (knowledgeBase.headers.get('location') ?? '').replace(/^.*=/, ''),
    campaign_id: campaign.campaign_id as string,
    delivery_id: webhook.delivery_id as string,
    number: phoneNumber.number as string,
  };
}
