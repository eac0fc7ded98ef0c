import { readFileSync } from 'node:fs';
import { ALL_ROUTES as ROUTES, ROUTES_FILE, routesDocument } from '../../generate/routes';
import type { Access } from '../../src/platform/http/access';

type Reach = Access['reach'];

/** The routes of the interface document and their required access. */
const documented: Record<string, Reach> = {
  'POST /api/agents': 'unscoped',
  'GET /api/agents': 'unscoped',
  'GET /api/agents/{agent_id}': 'agent',
  'PUT /api/agents/{agent_id}': 'unscoped',
  'DELETE /api/agents/{agent_id}': 'unscoped',
  'PUT /api/agents/{agent_id}/phone-number': 'unscoped',
  'POST /api/agents/{agent_id}/calls': 'agent',
  'GET /api/agents/{agent_id}/conversations': 'agent',
  'GET /api/agents/{agent_id}/conversations/{conversation_id}': 'agent',
  'POST /api/agents/knowledge-bases/{kb_id}/assign': 'unscoped',
  'POST /api/agents/knowledge-bases/{kb_id}/unassign': 'unscoped',
  'POST /api/knowledge-base': 'unscoped',
  'GET /api/knowledge-base': 'unscoped',
  'DELETE /api/knowledge-base/{kb_id}': 'unscoped',
  'DELETE /api/knowledge-base': 'unscoped',
  'GET /api/phone-number': 'unscoped',
  'GET /api/campaign': 'unscoped',
  'POST /api/campaign': 'unscoped',
  'GET /api/reports/agents/calls': 'unscoped',
};

describe('The routes of the application', () => {
  test('are committed with their access and their files (npm run generate writes them)', () => {
    expect(routesDocument()).toBe(readFileSync(ROUTES_FILE, 'utf8'));
    expect(new Set(ROUTES.map(({ name }) => name)).size).toBe(ROUTES.length);
  });

  test('contain those of the interface document', () => {
    expect(Object.fromEntries(ROUTES.map(({ name, access }) => [name, access?.reach]))).toMatchObject(
      documented,
    );
  });

  // Each has its own tests for scoped credentials.
  test('that filter their data by the scope of a credential are these', () => {
    expect(ROUTES.filter(({ access }) => access?.reach === 'filtered').map(({ name }) => name)).toEqual([
      'GET /api/calls',
      'GET /api/calls/export',
      'GET /api/calls/{call_id}',
      'GET /api/calls/{call_id}/recording',
      'GET /api/calls/{call_id}/timeline',
      'GET /api/calls/{call_id}/tools',
      'GET /api/calls/{call_id}/transcript',
      'GET /api/knowledge-base/{kb_id}/search',
      'DELETE /api/session',
      'GET /api/session',
      'POST /api/session',
      'POST /api/session/preview',
      'POST /mcp',
    ]);
  });

  test('that accept a scoped credential have the agent in their path', () => {
    const parameters = ROUTES.filter(({ access }) => access?.reach === 'agent').map((route) => ({
      route: route.name,
      hasAgent: route.access?.reach === 'agent' && route.parameters.includes(route.access.parameter),
    }));

    expect(parameters.filter(({ hasAgent }) => !hasAgent)).toEqual([]);
  });

  test('that need no credential are the health probes, the metrics and the way to the identity provider', () => {
    expect(ROUTES.filter(({ access }) => access?.reach === 'public').map(({ name }) => name)).toEqual([
      'GET /health/live',
      'GET /health/ready',
      'GET /metrics',
      'GET /oidc',
      'GET /oidc/callback',
      'GET /oidc/sign-in',
    ]);
  });

  test('that accept no tokens are those that create or end credentials of others', () => {
    const ofKeys = ROUTES.filter(({ access }) => access?.reach === 'unscoped' && access.without === 'token');

    expect(ofKeys.map(({ name }) => name).sort()).toEqual([
      'DELETE /api/auth/tokens',
      'DELETE /api/people/{person_id}',
      'PATCH /api/people/{person_id}',
      'POST /api/auth/api-keys',
      'POST /api/people',
      'POST /api/people/{person_id}/link',
    ]);
  });
});
