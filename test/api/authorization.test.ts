import { CALL_WRITERS } from '../../src/features/reports/call-records/call-export.service';
import { randomUUID } from 'node:crypto';
import { createAgent } from '../support/agents';
import {
  agentNotFound,
  callNotFound,
  outcome,
  type Outcome,
  outOfScope,
  refused,
  succeeded,
} from '../support/answers';
import type { ApiClient } from '../support/client';
import {
  addSpokenCall,
  addUnknownInvocation,
  type ResourceIds,
  createResources,
  restoreResources,
  sendTo,
} from '../support/examples';
import { JWT_SECRET, type TestParley, type TestWorkspace, useParley } from '../support/parley';
import { isId, type Route, NOT_ENVELOPED, ROUTES, WORKSPACE_ROUTES } from '../support/routes';
import { bearer, inSeconds, createToken } from '../support/tokens';

const guarded = ROUTES.filter(({ access }) => access?.reach !== 'public');
const ofWorkspaces = WORKSPACE_ROUTES.filter(({ access }) => access?.reach !== 'public');
/** The calls of the examples have none. */
const isRecording = ({ path }: Route) => path.endsWith('/recording');
const reachableByScope = guarded.filter(({ access }) => access?.reach === 'agent');
/** A credential with scopes sees the calls of its agents. */
const callRecords = guarded.filter(
  (route) => route.access?.reach === 'filtered' && route.path.startsWith('/api/calls') && !isRecording(route),
);

/** The answers of the routes that filter, to a credential whose scopes do not include the resource. */
const filteredAnswers: Record<string, Outcome> = {
  'GET /api/knowledge-base/{kb_id}/search': refused(404, 'Knowledge base not found', {
    error_code: 'KNOWLEDGE_BASE_NOT_FOUND',
  }),
  'GET /api/calls': succeeded('Calls', [], {
    page: 1,
    limit: 10,
    total: 0,
    totalPages: 0,
    hasNextPage: false,
    hasPrevPage: false,
  }),
  'GET /api/calls/export': { status: 200, body: { text: CALL_WRITERS.csv.head } },
  'GET /api/calls/{call_id}': callNotFound(),
  'GET /api/calls/{call_id}/recording': refused(404, 'Recording not found', {
    error_code: 'RECORDING_NOT_FOUND',
  }),
  'GET /api/calls/{call_id}/timeline': callNotFound(),
  'GET /api/calls/{call_id}/tools': callNotFound(),
  'GET /api/calls/{call_id}/transcript': callNotFound(),
};

/** Sessions stand for any credential. */
const whoIsIt = {
  workspace: expect.any(Object) as unknown,
  user: expect.any(Object) as unknown,
  scopes: expect.any(Array) as unknown,
  // null for an API key.
  expires_at: { asymmetricMatch: () => true },
};
const sessionAnswers: Record<string, Outcome> = {
  'POST /api/session': { status: 201, body: { status: 201, message: 'Session begun', data: whoIsIt } },
  'POST /api/session/preview': {
    status: 200,
    body: { status: 200, message: 'Session preview', data: { ...whoIsIt, role: null, replaces: null } },
  },
  'GET /api/session': succeeded('Session', whoIsIt),
  'DELETE /api/session': refused(404, 'Session not found', {
    error_code: 'SESSION_NOT_FOUND',
    details: 'The credential of the request is an API key or a token, not the cookie of a session.',
  }),
};

/** The answer of a route to a credential whose scopes do not include its resource. */
const scopeRefusal = ({ access, name }: Route): Outcome | undefined =>
  access?.reach === 'filtered' ? { ...filteredAnswers, ...sessionAnswers }[name] : outOfScope();

const titled = (routes: Route[]) => routes.map((route) => [route.name, route] as const);

const missing = refused(401, 'Unauthorized', {
  error_code: 'MISSING_CREDENTIAL',
  details: 'Send an API key in the header X-API-Key, or a token as Authorization: Bearer <token>.',
});
const wrong = refused(401, 'Unauthorized', {
  error_code: 'INVALID_CREDENTIAL',
  details:
    'The credential is not valid: unknown, expired, revoked, used already, or signed with another key.',
});

/** Adds what no route makes. */
const complete = async (parley: TestParley, workspace: TestWorkspace, things: ResourceIds) =>
  addSpokenCall(parley, workspace, await addUnknownInvocation(parley, things));

const createThings = async (parley: TestParley, workspace: TestWorkspace) =>
  complete(parley, workspace, await createResources(workspace));

/** Two routes hang up the same call of the examples. */
const endsSomething = ({ method, path }: Route) =>
  method === 'DELETE' || path.endsWith('{conversation_id}/hangup');

async function restore(parley: TestParley, workspace: TestWorkspace, route: Route, things: ResourceIds) {
  const restored = await restoreResources(workspace, route, things);
  return restored.agent_id === things.agent_id ? restored : complete(parley, workspace, restored);
}

describe('Every route', () => {
  const parley = useParley();
  let owner: TestWorkspace;
  let thingsOfOwner: ResourceIds;

  beforeAll(async () => {
    owner = await parley.workspace();
    thingsOfOwner = await createThings(parley, owner);
  });

  /** The answer of each route, by its name, for a resource of this workspace. */
  async function answersTo(api: ApiClient, workspace: TestWorkspace, given?: ResourceIds) {
    const outcomes: Record<string, Outcome> = {};
    let things = given ?? (await createThings(parley, workspace));
    for (const route of guarded) {
      const answer = await outcome(sendTo(api, route, things));
      outcomes[route.name] = answer;
      if (endsSomething(route) && answer.status < 300)
        things = await restore(parley, workspace, route, things);
    }
    return outcomes;
  }

  const onEveryRoute = (expected: (route: Route) => Outcome | undefined) =>
    Object.fromEntries(guarded.map((route) => [route.name, expected(route)]));

  async function keyThat(workspace: TestWorkspace, change: string): Promise<ApiClient> {
    const { body } = await workspace.api.post('/api/auth/api-keys', {});
    const { keyId, apiKey } = body.data as { keyId: string; apiKey: string };
    await parley.sql(`UPDATE api_keys SET ${change} = now() WHERE id = $1`, [keyId]);
    return parley.api.with({ 'x-api-key': apiKey });
  }

  test.each<
    [string, (workspace: TestWorkspace) => ApiClient, ...refusals: [route: string, status: number][]]
  >([
    ['an API key', ({ api }) => api],
    [
      'a token',
      (workspace) => bearer(parley, createToken(workspace)),
      ['POST /api/auth/api-keys', 403],
      ['DELETE /api/auth/tokens', 403],
      ['POST /api/people', 403],
      ['PATCH /api/people/{person_id}', 403],
      ['DELETE /api/people/{person_id}', 403],
      ['POST /api/people/{person_id}/link', 403],
    ],
  ])('takes %s', async (_, getClient, ...refusals) => {
    const workspace = await parley.workspace();

    const answers = Object.entries(await answersTo(getClient(workspace), workspace));

    const statuses = answers.map(([name, { status }]) => [name, status]);
    const refused = statuses.filter(([, status]) => ![200, 201, 202].includes(status as number));
    // DELETE /api/knowledge-base has no id in its path, there is no session, the campaign was cancelled or is not
    // paused, and the refusals of a token require an API key.
    const always = [
      ['DELETE /api/knowledge-base', 400],
      ['DELETE /api/session', 404],
      // The call has no recording, only its runtime can upload one, transfer it or ask for a tool, and it cannot be heard.
      ['GET /api/calls/{call_id}/recording', 404],
      ['PUT /api/calls/{call_id}/recording', 403],
      ['POST /api/calls/{call_id}/transfers', 403],
      ['POST /api/calls/{call_id}/tools/{tool_name}', 403],
      ['GET /api/calls/{call_id}/tools/invocations/{invocation_id}', 403],
      ['POST /api/calls/{call_id}/listen', 409],
      // The tool of the example has no server.
      ['POST /api/tools/{tool_id}/discover', 400],
      ['POST /api/campaign/{campaign_id}/pause', 409],
      ['POST /api/campaign/{campaign_id}/resume', 409],
    ];
    expect(refused.sort()).toEqual([...refusals, ...always].sort());
  });

  test.each<[string, (workspace: TestWorkspace) => ApiClient | Promise<ApiClient>, Outcome]>([
    ['no credential', () => parley.api, missing],
    ['an unknown API key', () => parley.api.with({ 'x-api-key': `parley_${'x'.repeat(43)}` }), wrong],
    ['an expired API key', (workspace) => keyThat(workspace, 'expires_at'), wrong],
    ['a revoked API key', (workspace) => keyThat(workspace, 'revoked_at'), wrong],
    ['a token that is not one', () => bearer(parley, 'not.a.token'), wrong],
    [
      'an expired token',
      (workspace) => bearer(parley, createToken(workspace, { exp: inSeconds(-1) })),
      wrong,
    ],
    [
      'a token with a wrong signature',
      (workspace) => bearer(parley, createToken(workspace, {}, `${JWT_SECRET}!`)),
      wrong,
    ],
  ])('refuses %s', async (_, getClient, expected) => {
    const api = await getClient(owner);

    expect(await answersTo(api, owner, thingsOfOwner)).toEqual(onEveryRoute(() => expected));
  });

  test.each<[string, (workspace: TestWorkspace) => TestWorkspace | Promise<TestWorkspace>]>([
    ['another agent', (workspace) => workspace],
    ["another workspace's agent", () => parley.workspace()],
  ])('refuses a token for %s', async (_, getOwner) => {
    const workspace = await parley.workspace();
    const scope = `agent:${await createAgent(await getOwner(workspace))}`;

    const answers = await answersTo(parley.scoped(workspace, scope), workspace);

    expect(answers).toEqual(onEveryRoute(scopeRefusal));
  });
});

describe('A credential', () => {
  const parley = useParley();
  let owner: TestWorkspace;
  let things: ResourceIds;

  beforeAll(async () => {
    owner = await parley.workspace();
    things = await createThings(parley, owner);
  });

  const send = (api: ApiClient, route: Route, values = things) => sendTo(api, route, values);

  const keyScopedTo = async (workspace: TestWorkspace, ...agentIds: string[]) => {
    const scope = agentIds.map((id) => `agent:${id}`);
    const { body } = await workspace.api.post('/api/auth/api-keys', { scope });
    return parley.api.with({ 'x-api-key': body.data.apiKey });
  };

  const clientScoped = (scope: unknown) => bearer(parley, createToken(owner, { scope }));

  const kinds: [kind: string, scopedTo: (...agentIds: string[]) => Promise<ApiClient> | ApiClient][] = [
    ['an API key with scopes', (...ids) => keyScopedTo(owner, ...ids)],
    [
      'a token that lists its scopes in a text',
      (...ids) => clientScoped(ids.map((id) => `agent:${id}`).join(' ')),
    ],
    ['a token that lists its scopes in an array', (...ids) => clientScoped(ids.map((id) => `agent:${id}`))],
  ];

  describe.each(kinds)('that is %s', (_, scopedTo) => {
    test('has access to the agents that it names, their calls and conversations', async () => {
      const second = await createAgent(owner);
      const api = await scopedTo(things.agent_id as string, second);

      for (const route of [...reachableByScope, ...callRecords]) {
        expect({ route: route.name, status: (await send(api, route)).status }).toEqual({
          route: route.name,
          status: 200,
        });
      }
      expect((await api.get(`/api/agents/${second}`)).body.data[0]._id).toBe(second);
    });

    test('has no access to other agents of its workspace', async () => {
      const other = await createAgent(owner);
      const api = await scopedTo(other);

      for (const route of reachableByScope) {
        expect({ route: route.name, ...(await outcome(send(api, route))) }).toEqual({
          route: route.name,
          ...outOfScope(),
        });
      }
    });

    test('has no access to agents of another workspace, even if it names them', async () => {
      const elsewhere = await createAgent(await parley.workspace());
      const api = await scopedTo(elsewhere);

      for (const route of reachableByScope) {
        const answer = send(api, route, { ...things, agent_id: elsewhere });
        expect({ route: route.name, ...(await outcome(answer)) }).toEqual({
          route: route.name,
          ...agentNotFound(),
        });
      }
    });

    test('has no access to any other route', async () => {
      const api = await scopedTo(things.agent_id as string);

      const others = guarded.filter((route) => ![...reachableByScope, ...callRecords].includes(route));
      for (const route of others) {
        expect({ route: route.name, ...(await outcome(send(api, route))) }).toEqual({
          route: route.name,
          ...scopeRefusal(route),
        });
      }
      expect((await owner.api.get(`/api/agents/${things.agent_id}`)).status).toBe(200);
    });
  });

  test.each([
    ['an empty text', ''],
    ['an empty array', []],
    ['null', null],
    ['a number', 7],
    ['true', true],
    ['an object', { agent: '*' }],
    ['a wildcard', 'agent:*'],
    ['a scope of another kind', 'admin'],
    ['an array with something else than texts', [['agent'], 7, null]],
  ])('that is a token whose scope is %s has access to nothing', async (_, scope) => {
    const api = clientScoped(scope);

    for (const route of guarded) {
      expect({ route: route.name, ...(await outcome(send(api, route))) }).toEqual({
        route: route.name,
        ...scopeRefusal(route),
      });
    }
  });

  test('names an agent in its scope by the complete id only', async () => {
    const id = things.agent_id as string;
    const scopes = [`agent:${id}x`, `xagent:${id}`, `agent:${id.slice(0, -1)}`, `agent:${id},`, id];

    expect(await outcome(clientScoped(scopes).get(`/api/agents/${id}`))).toEqual(outOfScope());
  });

  describe('of another workspace', () => {
    let stranger: TestWorkspace;
    let strangersThings: ResourceIds;

    beforeAll(async () => {
      stranger = await parley.workspace();
      strangersThings = await createResources(stranger);
    });

    test.each(titled(ofWorkspaces.filter(({ parameters }) => parameters.length > 0)))(
      'gets the same answer from %s for a foreign, unknown or malformed id',
      async (_, route) => {
        for (const parameter of route.parameters.filter(isId)) {
          const ids = [
            things[parameter] as string,
            randomUUID(),
            things[parameter]?.toUpperCase() as string,
            'none',
            '0',
            'a\0b',
            "' OR 1=1 --",
            '{}',
            'é'.repeat(500),
            things[parameter]?.replaceAll('-', '') as string,
          ];
          const answers = await Promise.all(
            ids.map((id) => outcome(send(stranger.api, route, { ...strangersThings, [parameter]: id }))),
          );

          expect(answers[0]).toEqual(
            refused(404, expect.stringMatching(/ not found$/) as string, {
              error_code: expect.stringMatching(/_NOT_FOUND$/) as string,
            }),
          );
          for (const answer of answers) expect(answer).toEqual(answers[0]);
        }
        if (!isRecording(route)) expect((await send(owner.api, route)).status).not.toBe(404);
        if (route.method === 'DELETE') things = await restore(parley, owner, route, things);
      },
    );

    test('finds no foreign conversation through its own agent', async () => {
      const path = `/api/agents/${strangersThings.agent_id}/conversations/${things.conversation_id}`;

      expect(await outcome(stranger.api.get(path))).toEqual(
        refused(404, 'Conversation not found', { error_code: 'CONVERSATION_NOT_FOUND' }),
      );
    });

    test.each(
      titled(
        guarded.filter(
          ({ name, method, parameters }) =>
            method === 'GET' && parameters.length === 0 && !NOT_ENVELOPED.includes(name),
        ),
      ),
    )('sees no foreign data in %s', async (_, route) => {
      const { status, body } = await send(stranger.api, route);
      const shown = JSON.stringify(body);

      expect(status).toBe(200);
      for (const secret of [owner.workspaceId, owner.userId, ...Object.values(things)]) {
        expect(shown).not.toContain(secret);
      }
    });
  });

  describe('that comes with the workspaceId of another workspace is refused', () => {
    let other: TestWorkspace;

    beforeAll(async () => {
      other = await parley.workspace();
    });

    const foreignIds = () => [
      randomUUID(),
      owner.workspaceId.slice(0, -1),
      '',
      7,
      null,
      {},
      [owner.workspaceId],
    ];
    const refusal = (field: string) =>
      expect.objectContaining({
        body: expect.objectContaining({
          message: 'Validation failed',
          errors: [{ field, message: 'workspaceId must be the workspace of the credential' }],
        }) as unknown,
      }) as unknown;

    test.each(titled(ofWorkspaces.filter(({ method }) => method === 'POST' || method === 'PUT')))(
      'in the body of %s',
      async (_, route) => {
        for (const workspaceId of [other.workspaceId, ...foreignIds()]) {
          expect(await outcome(sendTo(owner.api, route, things, { changes: { workspaceId } }))).toEqual(
            refusal('body.workspaceId'),
          );
        }
      },
    );

    test.each(titled(ofWorkspaces))('in the query of %s', async (_, route) => {
      const { workspaceId } = other;
      for (const query of [
        `workspaceId=${workspaceId}`,
        'workspaceId=',
        `workspaceId=${owner.workspaceId}&workspaceId=${workspaceId}`,
        `workspaceId=${owner.workspaceId}&workspaceId=${owner.workspaceId}`,
      ]) {
        const answer = sendTo(owner.api, route, things, { query });
        expect(await outcome(answer)).toEqual(refusal('query.workspaceId'));
      }
    });

    test('before anything is created', async () => {
      const workspace = await parley.workspace();

      await workspace.api.post('/api/agents', { type: 'outbound', workspaceId: owner.workspaceId });

      const { body } = await workspace.api.get('/api/agents');
      expect(body.pagination.total).toBe(0);
    });

    test('but not with its own id, where the interface accepts one', async () => {
      const { workspaceId } = owner;
      const { agent_id } = things;

      for (const answer of [
        await owner.api.post('/api/agents', { type: 'outbound', workspaceId }),
        await owner.api.get(`/api/agents?workspaceId=${workspaceId}`),
        await owner.api.put(`/api/agents/${agent_id}`, { type: 'outbound', workspaceId }),
        await owner.api.post(`/api/agents/${agent_id}/calls`, { to_number: '+15551234567', workspaceId }),
      ]) {
        expect(answer.status).toBe(200);
      }
    });
  });
});
