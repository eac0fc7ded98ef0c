import { createAgent } from '../support/agents';
import {
  agentNotFound,
  invalid,
  outcome,
  outcomeForStrangers,
  outOfScope,
  refused,
  succeeded,
} from '../support/answers';
import type { Answer } from '../support/client';
import { type TestWorkspace, useParley } from '../support/parley';

const DINNER = {
  name: 'table-for-two',
  person: {
    hello: 'Hi.',
    lines: [
      { on: 'how many', say: 'Two.', interrupts: { after_ms: 500, say: 'No, three.' } },
      { say: 'Thank you. Goodbye.', after_ms: 900 },
    ],
  },
  situation: { variables: { city: 'Bonn' } },
  tools: [{ name: 'book_table', match: { people: 2 }, answer: { ok: true }, after_ms: 300 }],
  checks: [{ tool: { name: 'book_table' } }, { ended: { by: 'agent' } }],
};

const CONTRACT = `agent: front-desk # slug; for files
rehearsals:
- name: table-for-two   # slug, once an agent
  enabled: true # false: only when named
  person:
    hello: Hi. # said first
    lines:
    - {on: how many, say: Two., interrupts: {after_ms: 500, say: "No, three."}}
    - {say: Thank you. Goodbye., after_ms: 900}
  situation: {variables: {city: Bonn}}
  tools: [{name: book_table, match: {people: 2}, answer: {ok: true}, after_ms: 300}]
  checks: [{tool: {name: book_table}}, {ended: {by: agent}}]
`;

/** Everything that a rehearsal can have, with texts that YAML has to quote. */
const RICH = {
  name: 'rich',
  enabled: false,
  person: {
    lines: [
      { on: '^yes$', say: 'no', times: 3 },
      { silence: 2.5 },
      { noise: 1, after_ms: 0 },
      { dtmf: '12#' },
      { hang_up: true },
      { say: '- a: "b" # c\n  d\n' },
    ],
    interrupts: { after_ms: 0, say: '123' },
  },
  situation: {
    variables: { empty: '', number: '007' },
    customer_name: 'Zoë & Söhne',
    direction: 'inbound',
    call_type: 'webcall',
    now: '2026-06-15T09:00:00.000Z',
    model_ms: 0,
    knowledge: [{ on: 'hours', passages: ['We open at nine.'] }, { passages: [] }],
  },
  tools: [
    { name: 'look_up', answer: null, times: 1 },
    { name: 'look_up', answer: [1, 'two', { three: [true] }] },
    { name: 'pay', fail: 'No card.', twice: true },
    { name: 'ask', never: true },
  ],
  checks: [
    { tool: { name: 'pay', arguments: { sum: { matches: '^\\d+$' } }, times: 0, before: 'ask' } },
    { said: 'hello' },
    { never_said: 'guarantee' },
    { variable: { name: 'city', equals: '' } },
    { variable: { name: 'city', matches: 'bonn' } },
    { outcome: ['booked', 'moved'] },
    { ended: { reason: 'agent_hangup' } },
    { turns: 5 },
    { turn_gap_ms: 900 },
    { interrupted_ms: 300 },
    { opt_out: false },
    { cost: { credits: 1.5, tokens: 100 } },
    { judge: 'The agent was polite.' },
  ],
};

const notFound = () => refused(404, 'Rehearsal not found', { error_code: 'REHEARSAL_NOT_FOUND' });

const limitReached = () =>
  refused(403, 'The agent has too many rehearsals', {
    error_code: 'REHEARSALS_LIMIT_REACHED',
    error: { details: 'An agent can have 200 rehearsals.' },
  });

describe('The rehearsals of an agent', () => {
  const parley = useParley();
  let workspace: TestWorkspace;
  let agentId: string;
  let path: string;

  beforeEach(async () => {
    workspace = await parley.workspace();
    agentId = await createAgent(workspace);
    path = `/api/agents/${agentId}/rehearsals`;
  });

  const create = (fields: object = {}) => workspace.api.post(path, { ...DINNER, ...fields });
  const read = async () => (await workspace.api.get(`${path}?limit=100`)).body.data as (typeof DINNER)[];
  const names = async () => (await read()).map(({ name }) => name);
  const importYaml = (text: string, query = '', type = 'application/yaml'): Promise<Answer> =>
    workspace.api.raw(`${path}/import${query}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: text,
    });
  const importJson = (rehearsals: object[], query = '') =>
    workspace.api.post(`${path}/import${query}`, { rehearsals });
  const exported = async () => (await workspace.api.get(`${path}/export`)).body as unknown as string;
  const fill = (count: number) =>
    parley.sql(
      `INSERT INTO rehearsals (id, workspace_id, agent_id, name, enabled, definition)
       SELECT gen_random_uuid(), $1, $2, 'full-' || number, true, '{"situation": {}, "tools": []}'
       FROM generate_series(1, $3::integer) AS number`,
      [workspace.workspaceId, agentId, count],
    );

  test('are stored, listed by their names, replaced as a whole and deleted', async () => {
    const created = await create();

    expect(created.status).toBe(201);
    const { rehearsal_id, created_at } = created.body.data;
    expect(created.headers.get('location')).toBe(`${path}/${rehearsal_id}`);
    const shown = {
      ...{ ...DINNER, enabled: true, agent_id: agentId, rehearsal_id },
      ...{ created_at, updated_at: created_at },
    };
    expect(created.body.data).toEqual(shown);
    expect((await workspace.api.get(`${path}/${rehearsal_id}`)).body.data).toEqual(shown);
    await create({ name: 'another' });
    expect(await names()).toEqual(['another', 'table-for-two']);

    const { name, person, checks } = DINNER;
    const replaced = await workspace.api.put(`${path}/${rehearsal_id}`, { name, person, checks });
    expect(replaced.body.data).toMatchObject({ rehearsal_id, situation: {}, tools: [] });
    const [entry] = (await workspace.api.get('/api/audit?limit=1')).body.data;
    expect(entry).toMatchObject({
      action: 'rehearsal.updated',
      target: { id: rehearsal_id, name },
      details: { changed: ['situation', 'tools'] },
    });

    const { status } = await workspace.api.delete(`${path}/${rehearsal_id}`);
    expect(status).toBe(200);
    const [deletion] = (await workspace.api.get('/api/audit?limit=1')).body.data;
    expect(deletion).toMatchObject({ action: 'rehearsal.deleted', target: { id: rehearsal_id, name } });
    expect(await outcome(workspace.api.get(`${path}/${rehearsal_id}`))).toEqual(notFound());
    expect(await outcome(workspace.api.delete(`${path}/${rehearsal_id}`))).toEqual(notFound());
  });

  test('come back as they were sent, with all that a rehearsal can have', async () => {
    const { status, body } = await create(RICH);

    expect(status).toBe(201);
    expect(body.data).toMatchObject(RICH);
    expect((await create({ ...RICH, name: 'one', checks: [{ outcome: 'booked' }] })).body.data).toMatchObject(
      {
        checks: [{ outcome: ['booked'] }],
      },
    );
  });

  test('have names that are unique for the agent', async () => {
    await create();
    const other = (await create({ name: 'other' })).body.data.rehearsal_id;
    const taken = refused(409, 'The name is taken', {
      error_code: 'REHEARSAL_NAME_TAKEN',
      error: { details: 'The agent already has a rehearsal with the name table-for-two.' },
    });

    expect(await outcome(create())).toEqual(taken);
    expect(await outcome(workspace.api.put(`${path}/${other}`, DINNER))).toEqual(taken);
    const colleague = await createAgent(workspace);
    expect((await workspace.api.post(`/api/agents/${colleague}/rehearsals`, DINNER)).status).toBe(201);
  });

  test('are at most 200', async () => {
    await fill(199);

    const answers = await Promise.all(
      [1, 2, 3].map((number) => outcome(create({ name: `one-more-${number}` }))),
    );

    const refusals = answers.filter(({ status }) => status !== 201);
    expect(refusals).toEqual([limitReached(), limitReached()]);
    const two = [DINNER, { ...DINNER, name: 'other' }];
    expect(await outcome(importJson(two))).toEqual(limitReached());
    expect((await importJson(two, '?replace=true')).body.data).toEqual({
      ...{ created: 2, updated: 0, unchanged: 0, deleted: 200 },
    });
  });

  test('belong to their agent and workspace', async () => {
    const { rehearsal_id } = (await create()).body.data;
    const colleague = await createAgent(workspace);
    const ofColleague = `/api/agents/${colleague}/rehearsals/${rehearsal_id}`;
    const { api } = await parley.workspace();

    expect(await outcome(workspace.api.get(ofColleague))).toEqual(notFound());
    expect(await outcome(workspace.api.put(ofColleague, DINNER))).toEqual(notFound());
    expect(await outcome(workspace.api.delete(ofColleague))).toEqual(notFound());
    for (const answer of [
      ...[api.get(path), api.post(path, DINNER), api.get(`${path}/export`)],
      ...[api.post(`${path}/import`, { rehearsals: [] }), api.get(`${path}/${rehearsal_id}`)],
      ...[api.put(`${path}/${rehearsal_id}`, DINNER), api.delete(`${path}/${rehearsal_id}`)],
    ])
      expect(await outcome(answer)).toEqual(agentNotFound());
    await outcomeForStrangers(parley, (stranger) => stranger.get(path));
    const reader = parley.scoped(workspace, 'read');
    expect((await reader.get(path)).status).toBe(200);
    expect(await outcome(reader.post(path, DINNER))).toEqual(outOfScope());
    const scoped = parley.scoped(workspace, `agent:${agentId}`);
    expect(await outcome(scoped.get(path))).toEqual(outOfScope());
  });

  test('are deleted with the agent', async () => {
    await create();

    await workspace.api.delete(`/api/agents/${agentId}`);

    expect(await parley.sql('SELECT 1 FROM rehearsals WHERE agent_id = $1', [agentId])).toEqual([]);
  });

  const person = (fields: object) => ({ person: fields });
  const line = (fields: object) => person({ lines: [fields] });
  const mock = (fields: object) => ({ tools: [{ name: 'book_table', ...fields }] });
  const check = (fields: object) => ({ checks: [{ turns: 9 }, fields] });

  test.each<[string, object, ...string[]]>([
    ['a name with a space', { name: 'table for two' }, 'body.name'],
    ['a name of 61 characters', { name: 'a'.repeat(61) }, 'body.name'],
    ['an unknown member', { retries: 3 }, 'body.retries'],
    ['a person who does nothing', person({ hello: 'Hi.' }), 'body.person'],
    ['a person and an answering machine', person({ lines: [], voicemail: 'Beep.' }), 'body.person'],
    ['a model without a persona', person({ lines: [], model: 'gpt' }), 'body.person.model'],
    ['a machine that is interrupted', person({ voicemail: 'A', hello: 'B' }), 'body.person.hello'],
    ['a line that does nothing', line({ on: 'x' }), 'body.person.lines.0'],
    ['a line that does two things', line({ say: 'x', hang_up: true }), 'body.person.lines.0'],
    ['a line that hangs up or not', line({ hang_up: false }), 'body.person.lines.0.hang_up'],
    ['keys that no phone has', line({ dtmf: '5x' }), 'body.person.lines.0.dtmf'],
    ['a pattern with look-around', line({ on: '(?=x)', say: 'y' }), 'body.person.lines.0.on'],
    ['a pattern that is large', line({ on: '(a{100}){100}', say: 'y' }), 'body.person.lines.0.on'],
    ['101 lines', person({ lines: Array(101).fill({ say: 'x' }) }), 'body.person.lines'],
    ['a time that is none', { situation: { now: 'noon' } }, 'body.situation.now'],
    ['no real knowledge', { situation: { knowledge: 'none' } }, 'body.situation.knowledge'],
    [
      'passages that are none',
      { situation: { knowledge: [{ passages: [] }, { passages: 'x' }] } },
      'body.situation.knowledge.1',
    ],
    ['a mock without an answer', mock({}), 'body.tools.0'],
    ['a mock with two answers', mock({ answer: 1, fail: 'x' }), 'body.tools.0'],
    ['51 mocks', { tools: Array(51).fill({ name: 'x', answer: 1 }) }, 'body.tools'],
    ['no checks', { checks: [] }, 'body.checks'],
    ['51 checks', { checks: Array(51).fill({ turns: 1 }) }, 'body.checks'],
    ['a judge alone', { checks: [{ judge: 'x' }] }, 'body.checks'],
    ['a check of two things', check({ said: 'x', turns: 1 }), 'body.checks.1'],
    ['an unknown check', check({ sings: true }), 'body.checks.1'],
    ['a check of a cost without one', check({ cost: {} }), 'body.checks.1.cost'],
    ['a variable without a value', check({ variable: { name: 'x' } }), 'body.checks.1.variable'],
    ['an end by an unknown party', check({ ended: { by: 'nobody' } }), 'body.checks.1.ended.by'],
    [
      'a pattern of an argument',
      check({ tool: { name: 'x', arguments: { a: [{ matches: '(' }] } } }),
      'body.checks.1.tool.arguments.a.0.matches',
    ],
    ['more than 64 KB', { situation: { variables: large(17) } }, 'body'],
  ])('are refused with %s', async (_, fields, ...fieldsWithErrors) => {
    expect(await outcome(create(fields))).toEqual(invalid(...fieldsWithErrors));
    expect(await outcome(importJson([{ ...DINNER, ...fields }]))).toEqual(
      invalid(...fieldsWithErrors.map((field) => field.replace('body', 'body.rehearsals.0'))),
    );
    expect(await read()).toEqual([]);
  });

  test.each([
    [[], 'checks must have one or more'],
    [[{ judge: 'x' }], 'checks must have one or more beside judge'],
  ])('are refused with the checks %j, and say what they need', async (checks, message) => {
    expect((await create({ checks })).body.errors).toEqual([{ field: 'body.checks', message }]);
  });

  test('are refused with patterns that are large together', async () => {
    const lines = Array(100).fill({ on: 'a{30,40}', say: 'x' });

    expect(await outcome(create({ person: { lines } }))).toMatchObject({
      status: 400,
      body: { errors: [{ message: expect.stringContaining('all together 3,000') as string }] },
    });
  });

  test('are imported from the file of the contract, and exported as one', async () => {
    const first = await importYaml(CONTRACT);

    expect(first).toMatchObject({
      status: 200,
      body: succeeded('Rehearsals imported', { created: 1, updated: 0, unchanged: 0, deleted: 0 }).body,
    });
    const [stored] = await read();
    expect(stored).toMatchObject(DINNER);
    await create(RICH);
    const file = await exported();
    expect(file).toMatch(/^agent: new-outbound-agent\n/);
    const other = await createAgent(workspace);
    path = `/api/agents/${other}/rehearsals`;
    expect((await importYaml(file)).body.data).toMatchObject({ created: 2 });
    const moved = await read();
    expect(moved).toMatchObject([RICH, DINNER]);
    expect((await exported()).replace(/^agent: .*/, '')).toBe(file.replace(/^agent: .*/, ''));
  });

  test('are imported by their names: all of a file, or none', async () => {
    const kept = (await create({ name: 'kept' })).body.data;
    await create();

    const changed = { ...DINNER, checks: [{ turns: 3 }] };
    const answer = await importJson([{ ...DINNER, name: 'kept' }, changed, { ...DINNER, name: 'new' }]);
    expect(answer.body.data).toEqual({ created: 1, updated: 1, unchanged: 1, deleted: 0 });
    expect(await names()).toEqual(['kept', 'new', 'table-for-two']);
    expect((await read())[0]).toEqual(kept);
    const [entry] = (await workspace.api.get('/api/audit?limit=1')).body.data;
    expect(entry).toMatchObject({
      action: 'rehearsal.imported',
      target: { id: agentId },
      details: { created: 1, updated: 1, unchanged: 1, deleted: 0 },
    });

    const twice = await outcome(importJson([DINNER, { ...DINNER, name: 'late' }, DINNER]));
    expect(twice).toEqual(invalid('body.rehearsals.2.name'));
    const wrong = await outcome(
      importJson([
        { ...DINNER, name: 'late' },
        { ...DINNER, checks: [] },
      ]),
    );
    expect(wrong).toEqual(invalid('body.rehearsals.1.checks'));
    expect(await names()).toEqual(['kept', 'new', 'table-for-two']);
    expect((await importJson([changed], '?replace=true')).body.data).toEqual({
      ...{ created: 0, updated: 0, unchanged: 1, deleted: 2 },
    });
    expect(await names()).toEqual(['table-for-two']);
  });

  test.each([
    ['an anchor', 'rehearsals: &all []', 'Line 1: anchors, aliases and tags are not taken.'],
    ['an alias', 'agent: x\nrehearsals: *all', 'Line 2: anchors, aliases and tags are not taken.'],
    ['a tag', 'agent: x\n\nrehearsals: !!seq []', 'Line 3: anchors, aliases and tags are not taken.'],
    ['two documents', 'rehearsals: []\n---\nrehearsals: []', 'Line 1: there must be one document.'],
    ['a list', '- rehearsals', 'Line 1: the body must be an object.'],
    ['nothing', '# nothing', 'Line 1: the body must be an object.'],
    ['a name that is there twice', 'rehearsals: []\nrehearsals: []', /^Line 2: /],
    ['an open bracket', 'agent: x\nrehearsals: [', /^Line 2: /],
    ['40 levels', `rehearsals: ${'['.repeat(40)}${']'.repeat(40)}`, /^Line 1: /],
  ])('are not imported from YAML with %s', async (_, text, details) => {
    const { status, body } = await importYaml(text);

    expect({ status, body }).toMatchObject({ status: 400, body: { error_code: 'MALFORMED_YAML' } });
    if (typeof details === 'string') expect(body.details).toBe(details);
    else expect(body.details).toMatch(details);
  });

  test('are not imported from a large file, nor from another type', async () => {
    const many = `rehearsals: [${'a,'.repeat(60_000)}]`;
    const large = `agent: ${'x'.repeat(1024 * 1024)}`;

    for (const text of [many, large])
      expect(await importYaml(text)).toMatchObject({
        status: 413,
        body: { error_code: 'PAYLOAD_TOO_LARGE' },
      });
    expect(await importYaml('rehearsals: []', '', 'text/plain')).toMatchObject({
      status: 415,
      body: { details: 'The content type is text/plain; send application/json or application/yaml.' },
    });
    expect(await workspace.api.raw(path, yamlRequest(CONTRACT))).toMatchObject({ status: 415 });
  });
});

/** Variables of 4 KB each. */
function large(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`v${index}`, 'x'.repeat(4_000)]));
}

const yamlRequest = (body: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/yaml' },
  body,
});
