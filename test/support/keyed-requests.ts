import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { csv } from './campaigns';
import type { Answer, ApiClient } from './client';
import { fileForm, HOURS } from './knowledge-bases';
import type { TestParley, TestWorkspace } from './parley';

interface IdempotentRoute {
  path(agentId: string): string;
  /** A valid body; another variant gives another body. */
  body(agentId: string, variant: string): object;
  /** The table of the created resources. */
  table: string;
}

function scheduledCampaignForm(agentId: string, variant: string): FormData {
  const form = new FormData();
  form.append('campaignName', 'Once');
  form.append('assistantId', agentId);
  form.append('isScheduled', 'true');
  form.append('scheduleTime', '2099-01-01T09:00:00.000Z');
  form.append('file', csv(`phone_number,day\n+15551234567,${variant}\n`), 'recipients.csv');
  return form;
}

/** The routes that take an Idempotency-Key. */
export const IDEMPOTENT_ROUTES = {
  'starting a call': {
    path: (agentId) => `/api/agents/${agentId}/calls`,
    body: (_, variant) => ({ to_number: '+15551234567', dynamic_variables: { day: variant } }),
    table: 'conversations',
  },
  'creating an agent': {
    path: () => '/api/agents',
    body: (_, variant) => ({ type: 'outbound', name: variant }),
    table: 'agents',
  },
  'creating a knowledge base': {
    path: () => '/api/knowledge-base',
    body: (_, variant) => fileForm({ fields: { name: 'Hours' }, content: `${HOURS} ${variant}` }),
    table: 'knowledge_bases',
  },
  'creating a tool': {
    path: () => '/api/tools',
    body: (_, description) => ({ name: 'book_table', description, url: 'https://shop.example.com/bookings' }),
    table: 'tools',
  },
  'creating a rehearsal': {
    path: (agentId) => `/api/agents/${agentId}/rehearsals`,
    body: (_, said) => ({ name: 'hours', person: { lines: [] }, checks: [{ said }] }),
    table: 'rehearsals',
  },
  'applying definitions': {
    path: () => '/api/code',
    body: (_, description) => ({
      resources: [
        {
          ...{ kind: 'tool', slug: 'book_table', base: null },
          definition: { description, url: 'https://shop.example.com/bookings' },
        },
      ],
    }),
    table: 'tools',
  },
  'starting a rehearsal run': {
    path: (agentId) => `/api/agents/${agentId}/rehearsal-runs`,
    body: (_, said) => ({ rehearsals: [{ name: 'hours', person: { lines: [] }, checks: [{ said }] }] }),
    table: 'rehearsal_runs',
  },
  'creating a campaign': { path: () => '/api/campaign', body: scheduledCampaignForm, table: 'campaigns' },
} satisfies Record<string, IdempotentRoute>;

export type IdempotentRouteName = keyof typeof IDEMPOTENT_ROUTES;

export const IDEMPOTENT_ROUTE_NAMES = Object.keys(IDEMPOTENT_ROUTES) as IdempotentRouteName[];

/** A client of the workspace that sends this key with every request. */
export const withKey = ({ api }: TestParley, { apiKey }: TestWorkspace, key: string): ApiClient =>
  api.with({ 'x-api-key': apiKey, 'idempotency-key': key });

export function sendIdempotent(
  api: ApiClient,
  name: IdempotentRouteName,
  agentId: string,
  variant = 'Monday',
): Promise<Answer> {
  const route: IdempotentRoute = IDEMPOTENT_ROUTES[name];
  const body = route.body(agentId, variant);
  return body instanceof FormData
    ? api.raw(route.path(agentId), { method: 'POST', body })
    : api.post(route.path(agentId), body);
}

/** Starts a call with each key in a separate header, because fetch would join them into one. */
export const startWithKeys = (
  { url }: TestParley,
  { apiKey }: TestWorkspace,
  agentId: string,
  keys: string[],
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { path, body } = IDEMPOTENT_ROUTES['starting a call'];
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': keys };
    request(url + path(agentId), { method: 'POST', headers }, (response) => {
      const answer = { status: response.statusCode ?? NaN, headers: new Headers() };
      json(response).then((answered) => resolve({ ...answer, body: answered }), reject);
    })
      .on('error', reject)
      .end(JSON.stringify(body(agentId, 'Monday')));
  });

/** The number of resources of a workspace that the route creates. */
export async function countCreated(
  parley: TestParley,
  name: IdempotentRouteName,
  { workspaceId }: TestWorkspace,
): Promise<number> {
  const [row] = await parley.sql<{ count: number }>(
    `SELECT count(*)::int FROM ${IDEMPOTENT_ROUTES[name].table} WHERE workspace_id = $1`,
    [workspaceId],
  );
  return row?.count ?? NaN;
}

/** Expires the leases of the attempts of a workspace. */
export const expireLeases = (parley: TestParley, { workspaceId }: TestWorkspace) =>
  parley.sql(
    `UPDATE idempotency_keys SET locked_until = now() - interval '1 second'
     WHERE workspace_id = $1 AND locked_until IS NOT NULL`,
    [workspaceId],
  );
