import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Access } from '../../src/platform/http/access';
import { ALL_ROUTES as ROUTES } from '../support/routes';

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

/** The further routes. */
const additional: Record<string, Reach> = {
  'PUT /api/calls/{call_id}/recording': 'call',
  'POST /api/calls/{call_id}/transfers': 'call',
  'GET /api/calls/{call_id}/tools': 'filtered',
  'POST /api/calls/{call_id}/tools/{tool_name}': 'call',
  'GET /api/calls/{call_id}/tools/invocations/{invocation_id}': 'call',
  'GET /api/calls/{call_id}/recording': 'filtered',
  'POST /api/phone-number': 'unscoped',
  'DELETE /api/phone-number/{number}': 'unscoped',
  'GET /api/do-not-call': 'unscoped',
  'POST /api/do-not-call': 'unscoped',
  'POST /api/do-not-call/import': 'unscoped',
  'DELETE /api/do-not-call/{phone_number}': 'unscoped',
  'POST /api/agents/{agent_id}/trials': 'unscoped',
  'GET /api/notes': 'unscoped',
  'PUT /api/notes': 'unscoped',
  'POST /api/knowledge-base/{kb_id}/sources': 'unscoped',
  'PUT /api/knowledge-base/{kb_id}/sources/{source_id}': 'unscoped',
  'DELETE /api/knowledge-base/{kb_id}/sources/{source_id}': 'unscoped',
  'GET /api/knowledge-base/{kb_id}/search': 'filtered',
  'GET /api/campaign/{campaign_id}': 'unscoped',
  'POST /api/campaign/validate': 'unscoped',
  'PATCH /api/campaign/{campaign_id}': 'unscoped',
  'POST /api/campaign/{campaign_id}/pause': 'unscoped',
  'POST /api/campaign/{campaign_id}/resume': 'unscoped',
  'POST /api/campaign/{campaign_id}/cancel': 'unscoped',
  'GET /api/campaign/{campaign_id}/recipients': 'unscoped',
  'GET /api/campaign/{campaign_id}/recipients/export': 'unscoped',
  'GET /api/campaign/{campaign_id}/recipients/{recipient_number}': 'unscoped',
  'DELETE /api/campaign/{campaign_id}/recipients/{recipient_number}': 'unscoped',
  'GET /api/campaign/{campaign_id}/log': 'unscoped',
  'POST /api/agents/{agent_id}/conversations/{conversation_id}/hangup': 'unscoped',
  'GET /api/calls': 'filtered',
  'GET /api/calls/export': 'filtered',
  'GET /api/calls/{call_id}': 'filtered',
  'GET /api/calls/{call_id}/timeline': 'filtered',
  'GET /api/calls/{call_id}/transcript': 'filtered',
  'POST /api/calls/{call_id}/listen': 'unscoped',
  'POST /api/calls/{call_id}/hangup': 'unscoped',
  'GET /api/agents/{agent_id}/analysis': 'agent',
  'PUT /api/agents/{agent_id}/analysis': 'unscoped',
  'GET /api/agents/{agent_id}/versions': 'unscoped',
  'GET /api/agents/{agent_id}/versions/{version}': 'unscoped',
  'POST /api/agents/{agent_id}/versions/{version}/restore': 'unscoped',
  'GET /api/agents/{agent_id}/deployment': 'unscoped',
  'PATCH /api/agents/{agent_id}/deployment': 'unscoped',
  'POST /api/agents/{agent_id}/deployment/publish': 'unscoped',
  'POST /api/agents/{agent_id}/deployment/rollback': 'unscoped',
  'GET /api/live': 'unscoped',
  'GET /api/runtimes': 'unscoped',
  'GET /api/reports/calls/series': 'unscoped',
  'GET /api/reports/calls/measurements': 'unscoped',
  'POST /api/prompt-templates': 'unscoped',
  'GET /api/prompt-templates': 'unscoped',
  'GET /api/prompt-templates/{template_id}': 'unscoped',
  'DELETE /api/prompt-templates/{template_id}': 'unscoped',
  'POST /api/agents/{agent_id}/rehearsals': 'unscoped',
  'GET /api/agents/{agent_id}/rehearsals': 'unscoped',
  'GET /api/agents/{agent_id}/rehearsals/export': 'unscoped',
  'POST /api/agents/{agent_id}/rehearsals/from-call': 'unscoped',
  'POST /api/agents/{agent_id}/rehearsals/import': 'unscoped',
  'GET /api/agents/{agent_id}/rehearsals/{rehearsal_id}': 'unscoped',
  'PUT /api/agents/{agent_id}/rehearsals/{rehearsal_id}': 'unscoped',
  'DELETE /api/agents/{agent_id}/rehearsals/{rehearsal_id}': 'unscoped',
  'POST /api/agents/{agent_id}/rehearsal-runs': 'unscoped',
  'GET /api/rehearsal-runs': 'unscoped',
  'GET /api/rehearsal-runs/{run_id}': 'unscoped',
  'GET /api/rehearsal-runs/{run_id}/results/{name}/{repeat}': 'unscoped',
  'GET /api/rehearsal-runs/{run_id}/report': 'unscoped',
  'GET /api/rehearsal-runs/{run_id}/junit': 'unscoped',
  'POST /api/rehearsal-runs/{run_id}/cancel': 'unscoped',
  'GET /api/code': 'unscoped',
  'POST /api/code': 'unscoped',
  'POST /api/tools': 'unscoped',
  'GET /api/tools': 'unscoped',
  'GET /api/tools/{tool_id}': 'unscoped',
  'PUT /api/tools/{tool_id}': 'unscoped',
  'DELETE /api/tools/{tool_id}': 'unscoped',
  'POST /api/tools/{tool_id}/discover': 'unscoped',
  'POST /api/tools/{tool_id}/test': 'unscoped',
  'GET /api/tool-invocations': 'unscoped',
  'GET /api/tool-invocations/export': 'unscoped',
  'POST /api/tool-invocations/{invocation_id}/resolve': 'unscoped',
  'POST /api/tool-invocations/{invocation_id}/resend': 'unscoped',
  'POST /api/auth/api-keys': 'unscoped',
  'GET /api/auth/api-keys': 'unscoped',
  'DELETE /api/auth/api-keys/{key_id}': 'unscoped',
  'POST /api/auth/tokens': 'unscoped',
  'DELETE /api/auth/tokens': 'unscoped',
  'GET /api/workspace': 'unscoped',
  'GET /api/workspace/credits': 'unscoped',
  'GET /api/workspace/quotas': 'unscoped',
  'GET /api/workspace/retention': 'unscoped',
  'GET /api/workspace/retention/preview': 'unscoped',
  'PUT /api/workspace/retention': 'unscoped',
  'GET /api/workspace/publishing': 'unscoped',
  'PUT /api/workspace/publishing': 'unscoped',
  'POST /api/erasures': 'unscoped',
  'GET /api/erasures': 'unscoped',
  'GET /api/erasures/{erasure_id}': 'unscoped',
  'GET /api/audit': 'unscoped',
  'POST /api/session': 'filtered',
  'POST /api/session/preview': 'filtered',
  'GET /api/session': 'filtered',
  'DELETE /api/session': 'filtered',
  'GET /api/sessions': 'unscoped',
  'DELETE /api/sessions/{session_id}': 'unscoped',
  'GET /api/people': 'unscoped',
  'POST /api/people': 'unscoped',
  'GET /api/people/{person_id}': 'unscoped',
  'PATCH /api/people/{person_id}': 'unscoped',
  'DELETE /api/people/{person_id}': 'unscoped',
  'POST /api/people/{person_id}/link': 'unscoped',
  'GET /oidc': 'public',
  'GET /oidc/sign-in': 'public',
  'GET /oidc/callback': 'public',
  'POST /mcp': 'filtered',
  'GET /api/webhooks/deliveries': 'unscoped',
  'GET /api/webhooks/deliveries/{delivery_id}': 'unscoped',
  'POST /api/webhooks/deliveries/dismiss': 'unscoped',
  'POST /api/webhooks/deliveries/{delivery_id}/replay': 'unscoped',
  'POST /api/webhooks/test': 'unscoped',
  'GET /api/webhooks/secret': 'unscoped',
  'POST /api/webhooks/secret/rotate': 'unscoped',
  'GET /health/live': 'public',
  'GET /health/ready': 'public',
  'GET /metrics': 'public',
};

const root = join(__dirname, '..', '..');

/** The file of each controller. */
async function controllerFiles(): Promise<Map<unknown, string>> {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.controller.ts'))
    .map((file) => `src/${file}`);
  const found = new Map<unknown, string>();
  for (const file of files) {
    const exported = (await import(join(root, file))) as Record<string, unknown>;
    for (const each of Object.values(exported)) found.set(each, file);
  }
  return found;
}

/** The rows of a section's table, each with a route and its file. */
function getTable(markdown: string, heading: string): [route: string, file: string][] {
  const [, section = ''] = markdown.split(`\n## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  return [...text.matchAll(/^\| *`([A-Z]+ [^`]+)` *\| *`([^`]+)` *\|/gm)].map(([, route, file]) => [
    (route as string).replace(/:(\w+)/g, '{$1}'),
    file as string,
  ]);
}

describe('The routes of the application', () => {
  test('are exactly the documented and the additional ones', () => {
    const reach = Object.fromEntries(ROUTES.map(({ name, access }) => [name, access?.reach]));

    expect(reach).toEqual({ ...documented, ...additional });
    expect(ROUTES).toHaveLength(Object.keys(reach).length);
  });

  test('all declare their access', () => {
    expect(ROUTES.filter(({ access }) => access === undefined)).toEqual([]);
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

  test('are listed in ARCHITECTURE.md with their files', async () => {
    const files = await controllerFiles();
    const actual = ROUTES.map(({ name, controller }) => [name, files.get(controller)]);

    const rows = getTable(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'), 'Routes');

    expect(new Set(rows.map(([route]) => route)).size).toBe(rows.length);
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(actual));
  });
});
