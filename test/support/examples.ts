import type { Answer, ApiClient } from './client';
import { createAgent } from './agents';
import type { TestWorkspace } from './parley';
import { pathOf, type Route } from './routes';

/** One thing of a workspace for each parameter that a path may have. */
export type Belongings = Record<string, string>;

let phoneNumbers = 0;

/** A number that nobody has been given before. */
const newPhoneNumber = () => `+1555${String(2_000_000 + phoneNumbers++)}`;

const promptTemplate = { name: 'Ours', greeting: 'Hello', prompt: 'You are brief.' };

function formOf(fields: Record<string, string>, fileName: string, text: string): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([text]), fileName);
  return form;
}

const campaignForm = (agentId = '') =>
  formOf(
    {
      campaignName: 'Ours',
      assistantId: agentId,
      isScheduled: 'true',
      scheduleTime: new Date(Date.now() + 86_400_000).toISOString(),
    },
    'recipients.csv',
    'phone_number\n+15551234567\n',
  );

let knowledgeBases = 0;

const knowledgeBaseForm = () =>
  formOf({ name: `Ours ${knowledgeBases++}` }, 'hours.txt', 'We are open from nine to five.');

/** What the query of a route must have. */
const queries: Record<string, string> = {
  'GET /api/knowledge-base/{kb_id}/search': 'query=open',
};

/** A good body for each route that takes one. */
const bodies: Record<string, (things: Belongings) => object> = {
  'POST /api/agents': () => ({ type: 'outbound' }),
  'PUT /api/agents/{agent_id}': () => ({ type: 'outbound', name: 'Another name' }),
  'PUT /api/agents/{agent_id}/phone-number': () => ({ phone_number: newPhoneNumber() }),
  'POST /api/agents/{agent_id}/calls': () => ({ to_number: '+15551234567' }),
  'POST /api/phone-number': () => ({ phone_number: newPhoneNumber() }),
  'POST /api/prompt-templates': () => promptTemplate,
  'POST /api/knowledge-base': knowledgeBaseForm,
  'POST /api/agents/knowledge-bases/{kb_id}/assign': ({ agent_id }) => ({ assistant_ids: [agent_id] }),
  'POST /api/agents/knowledge-bases/{kb_id}/unassign': ({ agent_id }) => ({ assistant_ids: [agent_id] }),
  'POST /api/campaign': ({ agent_id }) => campaignForm(agent_id),
  'POST /api/auth/api-keys': () => ({}),
  'POST /api/auth/tokens': () => ({}),
};

function bodyOf({ name, method }: Route, things: Belongings): object | undefined {
  if (method !== 'POST' && method !== 'PUT') return undefined;
  const body = bodies[name];
  if (!body) throw new Error(`Write an example of a body for ${name} into test/support/examples.ts.`);
  return body(things);
}

/**
 * Sends a good request to a route.
 * @param changes of its body
 * @param query after its path
 */
export function sendTo(
  api: ApiClient,
  route: Route,
  things: Belongings,
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

export async function belongingsOf(workspace: TestWorkspace): Promise<Belongings> {
  const { api } = workspace;
  const agentId = await createAgent(workspace);
  const [call, key, template, campaign, knowledgeBase] = await Promise.all([
    dataOf(api.post(`/api/agents/${agentId}/calls`, { to_number: '+15551234567' })),
    dataOf(api.post('/api/auth/api-keys', {})),
    dataOf(api.post('/api/prompt-templates', promptTemplate)),
    dataOf(api.raw('/api/campaign', { method: 'POST', body: campaignForm(agentId) })),
    api.raw('/api/knowledge-base', { method: 'POST', body: knowledgeBaseForm() }),
  ]);
  return {
    agent_id: agentId,
    conversation_id: call.conversation_id as string,
    key_id: key.keyId as string,
    template_id: template.template_id as string,
    // The interface has no data in the answer; the id is in the header.
    kb_id: (knowledgeBase.headers.get('location') ?? '').replace(/^.*=/, ''),
    campaign_id: campaign.campaign_id as string,
  };
}
