import { createHash, randomUUID, type UUID } from 'node:crypto';
import { RehearsalRunsRepository } from '../../src/features/rehearsals/runs/rehearsal-runs.repository';
import { MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import { createAgent } from '../support/agents';
import { createKnowledgeBase } from '../support/knowledge-bases';
import { EventListener } from '../support/event-listener';
import { agentNotFound, invalid, refused } from '../support/answers';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { DINNER, FACTS } from '../support/rehearsed';
import { until } from '../support/until';
import { type TakenCall, TestWorker } from '../support/worker';

const runNotFound = () => refused(404, 'Rehearsal run not found', { error_code: 'REHEARSAL_RUN_NOT_FOUND' });

describe('Rehearsal runs', () => {
  const parley = useOwnParley({ LEASE_SECONDS: '2' });
  let worker: TestWorker;
  let workspace: TestWorkspace;
  let agentId: string;
  let path: string;

  beforeAll(async () => {
    worker = await TestWorker.start(parley, { queue: parley.topology.rehearsalsQueue });
  });

  afterAll(() => worker.stop());

  beforeEach(async () => {
    workspace = await parley.workspace();
    agentId = await createAgent(workspace);
    path = `/api/agents/${agentId}`;
  });

  const start = async (body: object = { rehearsals: [DINNER] }) => {
    const { status, body: answer } = await workspace.api.post(`${path}/rehearsal-runs`, body);
    expect(status).toBe(201);
    return answer.data.run_id as string;
  };
  const get = async (runId: string) => (await workspace.api.get(`/api/rehearsal-runs/${runId}`)).body.data;
  const take = async () => (await worker.offerTo(agentId)).take();
  const report = (call: TakenCall, facts: object = FACTS) => call.report(MESSAGE_TYPES.rehearsed, { facts });
  const play = async (facts?: object) => {
    const call = await take();
    await report(call, facts);
    await call.ended();
  };
  const ended = (runId: string) =>
    until(async () => {
      const run = await get(runId);
      return run.ended_at === null ? undefined : run;
    });

  test('play the stored rehearsals of an agent in a runtime, and compare what has happened with their checks', async () => {
    await workspace.api.post(`${path}/rehearsals`, DINNER);
    const runId = await start({});

    const offer = await worker.offerTo(agentId);
    expect(offer.start).toMatchObject({
      ...{ call_type: 'rehearsal', workspaceId: workspace.workspaceId, agent_id: agentId, agent_version: 1 },
      ...{ to_number: '', from_number: '', webhook_url: '', external_id: '' },
      dynamic_variables: { city: 'Bonn' },
      rehearsal: {
        ...{ run_id: runId, name: 'table-for-two', repeat: 1, mode: 'text', seed: 1 },
        person: {
          hello: 'Hi.',
          lines: [
            { on: 'how many', say: 'Two.', times: 1, after_ms: 500 },
            { say: 'Goodbye.', times: 1, after_ms: 900 },
          ],
        },
        situation: {
          ...{ call_type: 'phonecall', now: '2026-06-15T09:00:00.000Z', model_ms: 600, knowledge: null },
        },
        tools: [
          { name: 'book_table', match: { people: 2 }, answer: { ok: true }, after_ms: 0, timeout_ms: 8_000 },
        ],
      },
    });
    expect(offer.message.routingKey).toMatch(/^call\.rehearsal\./);
    const call = await offer.take();
    await report(call);
    await call.ended();

    expect(await ended(runId)).toMatchObject({
      ...{ status: 'passed', progress: { done: 1, total: 1 }, totals: { passed: 1, failed: 0, error: 0 } },
      tokens: 120,
      results: [{ name: 'table-for-two', status: 'passed', flaky: false, failed: [], error: null }],
    });
    const result = await workspace.api.get(`/api/rehearsal-runs/${runId}/results/table-for-two/1`);
    expect(result.body.data).toMatchObject({
      ...{ seed: 1, status: 'passed', ...FACTS },
      checks: [
        { check: 'tool', passed: true },
        { check: 'ended', passed: true, seen: 'The agent ended it: agent_hangup.' },
      ],
    });
    expect((await workspace.api.get(`/api/calls/${call.conversationId}`)).status).toBe(404);
    expect((await workspace.api.get('/api/calls')).body.data).toEqual([]);
  });

  test('give a runtime the persona of a person who is a model, as it stands', async () => {
    const persona = ' You are Ada.\nYou end with [hang up]. ';
    await start({ rehearsals: [{ ...DINNER, person: { persona, model: 'gpt-4o' } }] });

    const { start: message } = await worker.offerTo(agentId);
    expect(message.rehearsal?.person).toEqual({ persona, model: 'gpt-4o', max_turns: 20 });
  });

  test('name tools and transfers to a runtime, and no address', async () => {
    await workspace.api.post('/api/tools', {
      ...{ name: 'book_table', description: 'Books a table.', url: 'https://shop.example.com/book' },
    });
    const actions = [
      'book_table',
      'sales tel:+15551234567',
      'order https://shop.example.com/order',
      'nothing',
    ];
    await workspace.api.put(path, { type: 'outbound', actions });
    await start();

    const { start: message } = await worker.offerTo(agentId);
    expect(message.agent.actions).toEqual(['book_table', 'sales', 'order']);
    expect(JSON.stringify(message)).not.toMatch(/shop\.example\.com|15551234567/);
  });

  test('tell a runtime what the server compares arguments with', async () => {
    const parameters = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
    await workspace.api.post('/api/tools', {
      ...{ name: 'cancel', description: 'Cancels.', url: 'https://shop.example.com/of-{id}/.{id}/{id}?all' },
      ...{ parameters, fixed: { channel: 'phone' } },
    });
    const actions = ['cancel', 'order https://shop.example.com/order'];
    await workspace.api.put(path, { type: 'outbound', actions });
    await start();

    const { start: message } = await worker.offerTo(agentId);
    expect(message.rehearsal?.tool_rules).toEqual([
      { name: 'cancel', compares: true, fixed: ['channel'], path: ['.{id}', '{id}'] },
      { name: 'order', compares: true, fixed: [], path: [] },
    ]);
  });

  test('give a runtime the variables that the answer of a mock makes', async () => {
    await workspace.api.post('/api/tools', {
      ...{ name: 'book_table', description: 'Books a table.', url: 'https://shop.example.com/book' },
      results: [
        { variable: 'booking', pointer: '' },
        { variable: 'table', pointer: '/table' },
      ],
    });
    await workspace.api.put(path, { type: 'outbound', actions: ['book_table'] });
    const tools = [
      { name: 'book_table', match: { people: 2 }, answer: { table: 7 } },
      { name: 'book_table', fail: 'It is full.' },
      { name: 'book_taxi', answer: { table: 7 } },
    ];
    await start({ rehearsals: [{ ...DINNER, tools }] });

    const { start: message } = await worker.offerTo(agentId);
    expect(message.rehearsal?.tools?.map(({ variables }) => variables)).toEqual([
      { booking: '{"table":7}', table: '7' },
      undefined,
      undefined,
    ]);
  });

  test('fail if a check fails, or the agent asked for a tool without a mock', async () => {
    const runId = await start();
    await play({
      ...FACTS,
      turns: [
        {
          speaker: 'tool',
          text: 'pay',
          at_ms: 0,
          tool: { name: 'pay', arguments: {}, result: null, closed: true },
        },
      ],
      end: { reason: 'user_hangup', by: 'user' },
    });

    expect(await ended(runId)).toMatchObject({
      status: 'failed',
      results: [
        {
          status: 'failed',
          failed: [
            { check: 'tool', seen: 'book_table was not asked for.' },
            { check: 'ended', seen: 'The user ended it: user_hangup.' },
            { check: 'tool_closed', seen: 'No mock fitted: pay.' },
          ],
        },
      ],
    });
  });

  test('play each rehearsal as often as asked with further seeds, and call it flaky if the results differ', async () => {
    const runId = await start({ rehearsals: [DINNER], repeat: 3, seed: 7 });
    const seeds: number[] = [];
    for (const by of ['agent', 'user', 'agent']) {
      const offer = await worker.offerTo(agentId);
      seeds.push(offer.start.rehearsal?.seed ?? 0);
      const call = await offer.take();
      await report(call, { ...FACTS, end: { reason: 'agent_hangup', by } });
      await call.ended();
    }

    expect(seeds).toEqual([7, 8, 9]);
    expect(await ended(runId)).toMatchObject({
      ...{ status: 'failed', totals: { passed: 2, failed: 1, error: 0 } },
      results: [{ status: 'failed', flaky: true, repeat: 2 }],
    });
  });

  test('are compared with another version, and say what it broke and fixed', async () => {
    await workspace.api.put(path, { type: 'outbound', greeting: 'Good day.' });
    const rehearsals = ['same', 'worse', 'better'].map((name) => ({ ...DINNER, name }));
    const runId = await start({ rehearsals, against: 1 });
    const versions: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      const offer = await worker.offerTo(agentId);
      const { agent_version: version, rehearsal: { name } = {} } = offer.start;
      versions.push(`${name} ${version}`);
      const fails = (name === 'worse' && version === 2) || (name === 'better' && version === 1);
      const call = await offer.take();
      await report(call, fails ? { ...FACTS, end: { reason: 'user_hangup', by: 'user' } } : FACTS);
      await call.ended();
    }

    expect(versions.sort()).toEqual(['better 1', 'better 2', 'same 1', 'same 2', 'worse 1', 'worse 2']);
    expect(await ended(runId)).toMatchObject({
      ...{ version: 2, against: 1, status: 'failed', progress: { done: 6, total: 6 } },
      totals: { passed: 2, failed: 1, error: 0 },
      results: [
        { name: 'same', status: 'passed', against: 'passed', change: 'same' },
        { name: 'worse', status: 'failed', against: 'passed', change: 'broke' },
        { name: 'better', status: 'passed', against: 'failed', change: 'fixed' },
      ],
    });
    const result = `/api/rehearsal-runs/${runId}/results/better/1`;
    expect((await workspace.api.get(result)).body.data.status).toBe('passed');
    expect((await workspace.api.get(`${result}?against=true`)).body.data.status).toBe('failed');
    const { body: junit } = await workspace.api.get(`/api/rehearsal-runs/${runId}/junit`);
    expect(junit).toContain('tests="3" failures="1" errors="0"');
    expect((junit as unknown as string).match(/<testcase /g)).toHaveLength(3);

    const active = await start({ rehearsals: [DINNER], version: 1, against: 'active' });
    expect(await get(active)).toMatchObject({ version: 1, against: 2 });
    for (const against of ['newest', 0, '1', 1.5, null])
      expect(await workspace.api.post(`${path}/rehearsal-runs`, { against })).toMatchObject(
        invalid('body.against'),
      );
    expect(await workspace.api.post(`${path}/rehearsal-runs`, { against: 9 })).toMatchObject(
      refused(404, 'Agent version not found'),
    );
  });

  test('are passed, also when the version with which they are compared was not played', async () => {
    await workspace.api.put(path, { type: 'outbound', greeting: 'Good day.' });
    const runId = await start({ rehearsals: [DINNER], against: 1 });
    for (let count = 0; count < 2; count += 1) {
      const offer = await worker.offerTo(agentId);
      const call = await offer.take();
      const isPlayed = offer.start.agent_version === 2;
      await report(call, isPlayed ? FACTS : { ...FACTS, end: { reason: 'error', by: 'system' } });
      await call.ended();
    }

    expect(await ended(runId)).toMatchObject({
      ...{ status: 'passed', error: null, totals: { passed: 1, failed: 0, error: 0 } },
      results: [{ status: 'passed', against: 'error', change: null }],
    });
  });

  describe('with other fields', () => {
    const FIELDS = {
      ...{ greeting: 'Good day, {{city}}.', actions: ['book_table'] },
      llmConfig: { temperature: 0.1 },
    };
    const versions = async () => (await workspace.api.get(`${path}/versions`)).body.data.length as number;
    const stored = async (runId: string) => {
      const rows = await parley.sql<{ configuration: object | null }>(
        'SELECT configuration FROM rehearsal_runs WHERE id = $1',
        [runId],
      );
      return rows[0]?.configuration;
    };

    test('play the agent as it would be with them, which it is not afterwards', async () => {
      const knowledgeBases = [await createKnowledgeBase(workspace)];
      await workspace.api.post('/api/tools', {
        ...{ name: 'book_table', description: 'Books a table.', url: 'https://shop.example.com/' },
      });
      const before = (await workspace.api.get(path)).body.data;
      const rehearsals = [DINNER];
      const runId = await start({ rehearsals, fields: { ...FIELDS, knowledgeBases }, against: 'active' });
      expect(await get(runId)).toMatchObject({
        ...{ version: 1, against: 1 },
        fields: ['actions', 'greeting', 'knowledgeBases', 'llmConfig.temperature'],
      });

      for (let count = 0; count < 2; count += 1) {
        const offer = await worker.offerTo(agentId);
        const { greeting, agent, tools, knowledge_bases: known } = offer.start;
        const isChanged = greeting === 'Good day, Bonn.';
        expect([agent.llmConfig.temperature === 0.1, tools.length, known.length]).toEqual(
          isChanged ? [true, 1, 1] : [false, 0, 0],
        );
        const call = await offer.take();
        await report(call, isChanged ? { ...FACTS, end: { reason: 'user_hangup', by: 'user' } } : FACTS);
        await call.ended();
      }
      expect((await ended(runId)).results).toMatchObject([{ against: 'passed', change: 'broke' }]);
      expect([await stored(runId), (await get(runId)).fields.length]).toEqual([null, 4]);
      expect([(await workspace.api.get(path)).body.data, await versions()]).toEqual([before, 1]);
    });

    test('keep nothing of them after the end, also when they are cancelled', async () => {
      const runId = await start({ rehearsals: [DINNER], fields: FIELDS });
      expect(await stored(runId)).toMatchObject({ snapshot: { greeting: FIELDS.greeting } });
      await workspace.api.post(`/api/rehearsal-runs/${runId}/cancel`, {});
      expect(await stored(runId)).toBeNull();
    });

    test('take what reading the agent returned, as an update does', async () => {
      const [agent] = (await workspace.api.get(path)).body.data as [object];
      const runId = await start({ rehearsals: [DINNER], fields: agent });
      expect((await get(runId)).fields).toEqual([]);
    });

    test('change an earlier version, too', async () => {
      await workspace.api.put(path, { type: 'outbound', greeting: 'Hi.', prompt: 'New.' });
      const runId = await start({ rehearsals: [DINNER], fields: FIELDS, version: 1 });
      expect(await get(runId)).toMatchObject({ version: 1 });
      const { greeting, agent } = (await worker.offerTo(agentId)).start;
      expect([greeting, agent.prompt === 'New.']).toEqual(['Good day, Bonn.', false]);
      expect(await versions()).toBe(2);
    });

    test('refuse what an update refuses', async () => {
      const run = (fields: object) =>
        workspace.api.post(`${path}/rehearsal-runs`, { rehearsals: [DINNER], fields });
      await workspace.api.post('/api/do-not-call', { phone_number: '+15551234000' });
      for (const [fields, field] of [
        [{ llmConfig: { temperature: 9 } }, 'body.fields.llmConfig.temperature'],
        [{ colour: 'red' }, 'body.fields.colour'],
        [{ voiceConfig: null }, 'body.fields.voiceConfig'],
        [{ actions: null }, 'body.fields.actions'],
        [[], 'body.fields'],
      ] as const)
        expect([field, await run(fields)]).toMatchObject([field, invalid(field)]);
      const listed = await run({ actions: ['sales tel:+15551234000'] });
      expect(listed.body).toMatchObject({
        error_code: 'DO_NOT_CALL',
        errors: [{ field: 'body.fields.actions.0' }],
      });
      const { status, body } = await run({ knowledgeBases: [randomUUID()] });
      expect([status, body.error_code]).toEqual([404, 'KNOWLEDGE_BASE_NOT_FOUND']);
      expect((await workspace.api.get('/api/rehearsal-runs')).body.data).toEqual([]);
    });
  });

  test('tell an open page how far they are', async () => {
    const listener = await EventListener.open(parley.url, workspace);
    try {
      await until(() => listener.of('counts').length > 0);
      const runId = await start({ rehearsals: [DINNER], repeat: 2 });
      const call = await take();
      const tell = (status: string, done: number) => ({ run_id: runId, status, done, total: 2 });
      await until(() => listener.of('rehearsal').some(({ status }) => status === 'running'));
      await report(call);
      await call.ended();
      await play();
      await until(() => listener.of('rehearsal').some(({ status }) => status === 'passed'));

      expect(listener.of('rehearsal')).toContainEqual(tell('running', 0));
      expect(listener.of('rehearsal').at(-1)).toEqual(tell('passed', 2));
    } finally {
      listener.close();
    }
  });

  test('have a report with the same bytes for the same rehearsals and answers, and its SHA-256', async () => {
    const read = async (runId: string) => {
      const response = await fetch(`${parley.url}/api/rehearsal-runs/${runId}/report`, {
        headers: { 'x-api-key': workspace.apiKey },
      });
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      return response.text();
    };
    const runIds = [];
    for (let count = 0; count < 2; count += 1) {
      const runId = await start({ rehearsals: [DINNER], repeat: 2 });
      expect(await get(runId)).toMatchObject({ report_sha256: null });
      await play();
      await play({ ...FACTS, end: { reason: 'user_hangup', by: 'user' } });
      runIds.push(runId);
    }
    const [first = '', second = ''] = runIds;
    await ended(first);
    const { report_sha256 } = await ended(second);
    const text = await read(second);

    expect(createHash('sha256').update(text).digest('hex')).toBe(report_sha256);
    expect(await read(first)).toBe(text);
    const { name, ...definition } = DINNER;
    expect(JSON.parse(text)).toEqual({
      ...{ mode: 'text', seed: 1, repeat: 2 },
      results: [
        {
          ...{
            name,
            repeat: 1,
            against: false,
            definition,
            seed: 1,
            status: 'passed',
            error: null,
            ...FACTS,
          },
          checks: [
            {
              ...{ check: 'tool', passed: true, turn: 2 },
              seen: expect.stringContaining('book_table was asked for: 1'),
            },
            { check: 'ended', passed: true, seen: 'The agent ended it: agent_hangup.', turn: null },
          ],
        },
        expect.objectContaining({ name, repeat: 2, definition: null, seed: 2, status: 'failed' }),
      ],
    });
    await workspace.api.put(path, { type: 'outbound', greeting: 'Good day.' });
    const third = await start({ rehearsals: [DINNER], repeat: 2, seed: 5 });
    await workspace.api.post(`/api/rehearsal-runs/${third}/cancel`, {});
    expect(await get(third)).toMatchObject({ status: 'cancelled', report_sha256: null });
  });

  test('are read by continuous integration as test cases of JUnit', async () => {
    await workspace.api.put(path, { type: 'outbound', name: 'Front <desk> & "co"' });
    const runId = await start({ rehearsals: [DINNER], repeat: 3 });
    await play();
    await play({
      ...FACTS,
      turns: [{ speaker: 'agent', text: 'One < two\u0001 & "three".', at_ms: 0 }],
    });
    await until(async () => (await get(runId)).progress.done === 2);
    const { body, headers } = await workspace.api.get(`/api/rehearsal-runs/${runId}/junit`);

    expect(headers.get('content-type')).toBe('application/xml; charset=utf-8');
    expect(body).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<testsuites>',
        '<testsuite name="Front &lt;desk&gt; &amp; &quot;co&quot;" tests="3" failures="1" errors="0">',
        '<testcase classname="Front &lt;desk&gt; &amp; &quot;co&quot;" name="table-for-two [1]" time="5.2"/>',
        '<testcase classname="Front &lt;desk&gt; &amp; &quot;co&quot;" name="table-for-two [2]" time="5.2">',
        '<failure message="tool: book_table was not asked for.">tool: book_table was not asked for.</failure>',
        '<system-out>0 ms agent: One &lt; two &amp; &quot;three&quot;.</system-out>',
        '</testcase>',
        '<testcase classname="Front &lt;desk&gt; &amp; &quot;co&quot;" name="table-for-two [3]" time="0">',
        '<skipped/>',
        '</testcase>',
        '</testsuite>',
        '</testsuites>',
        '',
      ].join('\n'),
    );
  });

  test('have an error if the conversation ends with one, or a runtime fails twice to play it', async () => {
    const runId = await start({ rehearsals: ['broken', 'failed'].map((name) => ({ ...DINNER, name })) });
    for (let count = 0; count < 3; count += 1) {
      const offer = await worker.offerTo(agentId);
      const call = await offer.take();
      if (offer.start.rehearsal?.name === 'failed') await call.failed({ disconnect_reason: 'error' });
      else {
        await report(call, { ...FACTS, end: { reason: 'error', by: 'system' } });
        await call.ended();
      }
    }

    expect(await ended(runId)).toMatchObject({
      status: 'error',
      results: [
        { name: 'broken', status: 'error', error: 'The conversation ended with an error.' },
        { name: 'failed', status: 'error', error: 'NOT_PLAYED' },
      ],
    });
  });

  test('play once more what a silent runtime has claimed, and have an error if its end comes without facts', async () => {
    const runId = await start({ rehearsals: ['lost', 'silent'].map((name) => ({ ...DINNER, name })) });
    for (let count = 0; count < 3; count += 1) {
      const offer = await worker.offerTo(agentId);
      const call = await offer.take();
      if (offer.start.rehearsal?.name === 'silent') await call.ended();
    }

    const run = await ended(runId);
    expect(run).toMatchObject({
      status: 'error',
      results: [
        { name: 'lost', status: 'error', error: 'REHEARSAL_RUNTIME_LOST' },
        { name: 'silent', status: 'error', error: 'NO_FACTS' },
      ],
    });
    // Nobody plays for nothing: the time of each play counts.
    expect(run.tokens).toBeGreaterThan(300);
  });

  test('wait for a place while a runtime plays, and have an error if none does', async () => {
    await parley.sql(`DELETE FROM rehearsal_runs WHERE workspace_id <> $1`, [workspace.workspaceId]);
    const busy = await start();
    const played = await take();
    const waiting = await start({ rehearsals: [{ ...DINNER, name: 'waits' }] });
    const first = await worker.offerTo(agentId);
    const expire = () =>
      parley.sql(`UPDATE rehearsal_results SET expires_at = now() WHERE run_id = $1`, [waiting]);
    await expire();

    // It is queued and offered anew.
    const again = await until(() => worker.findOffers(first.start.conversation_id)[1]);
    expect((await get(waiting)).results).toMatchObject([{ status: 'queued', error: null }]);
    again.settle();
    await report(played);
    await ended(busy);
    await expire();

    const { error, results } = await ended(waiting);
    expect([error, results]).toMatchObject(['NO_REHEARSAL_RUNTIME', [{ error: 'NO_REHEARSAL_RUNTIME' }]]);
  });

  describe('that are spoken', () => {
    const spoken = (...names: string[]) => ({
      ...{ mode: 'audio', rehearsals: names.map((name) => ({ ...DINNER, name })) },
    });
    const change = (runId: string, values: string) =>
      parley.sql(`UPDATE rehearsal_results SET ${values} WHERE run_id = $1`, [runId]);
    const toName = ({ start: { rehearsal } }: { start: { rehearsal?: { name: string } } }) => rehearsal?.name;

    test('are offered one after the other, beside those in text', async () => {
      const runId = await start(spoken('one', 'two'));
      const first = await worker.offerTo(agentId);
      expect(first.start.rehearsal).toMatchObject({ name: 'one', mode: 'audio' });
      const call = await first.take();
      const inText = await start({ rehearsals: ['three', 'four'].map((name) => ({ ...DINNER, name })) });
      for (const name of ['three', 'four']) {
        const offer = await worker.offerTo(agentId);
        expect([toName(offer), offer.start.rehearsal?.mode]).toEqual([name, 'text']);
        await report(await offer.take());
      }
      expect(await ended(inText)).toMatchObject({ mode: 'text', status: 'passed' });
      await report(call);
      await play();

      expect(await ended(runId)).toMatchObject({
        ...{ mode: 'audio', status: 'passed', totals: { passed: 2, failed: 0, error: 0 } },
      });
    });

    test('are offered again, as often as a runtime has no place for them', async () => {
      const runId = await start(spoken('waits'));
      const { conversation_id: id } = (await worker.offerTo(agentId)).start;
      for (let count = 0; count < 3; count += 1) {
        const offer = await until(() => worker.findOffers(id)[count]);
        await (await offer.take()).failed({ disconnect_reason: 'dial_busy' });
        await until(async () => {
          const [row] = await parley.sql<{ status: string }>(
            `SELECT status FROM rehearsal_results WHERE run_id = $1`,
            [runId],
          );
          return row?.status === 'offered';
        });
        await change(runId, `published_at = now() - interval '1 minute'`);
      }
      await play();

      expect(await ended(runId)).toMatchObject({ status: 'passed', tokens: FACTS.figures.tokens });
    });

    test('have an error if no runtime has a place for them, also while others play in text', async () => {
      const inText = await start();
      await take();
      const runId = await start(spoken('waits'));
      await (await take()).failed({ disconnect_reason: 'dial_busy' });
      await until(async () => {
        await change(runId, 'expires_at = now()');
        return (await get(runId)).ended_at !== null;
      });

      expect(await get(runId)).toMatchObject({ status: 'error', error: 'NO_REHEARSAL_RUNTIME' });
      await workspace.api.post(`/api/rehearsal-runs/${inText}/cancel`, {});
    });

    test('have an error that says so if the runtimes can neither hear nor speak', async () => {
      const runId = await start(spoken('silent'));
      for (let count = 0; count < 2; count += 1)
        await (await take()).failed({ disconnect_reason: 'dial_failed' });

      expect(await ended(runId)).toMatchObject({ status: 'error', results: [{ error: 'NO_SPEECH' }] });
    });

    test('are refused for an agent that is written to', async () => {
      const run = (body: object) =>
        workspace.api.post(`${path}/rehearsal-runs`, { ...spoken('chat'), ...body });
      await workspace.api.put(path, { type: 'chat' });
      expect(await run({})).toMatchObject(invalid('body.mode'));
      expect(await run({ version: 1, against: 2 })).toMatchObject(invalid('body.mode'));
      expect(await run({ version: 1, fields: { type: 'chat' } })).toMatchObject(invalid('body.mode'));
      expect((await run({ version: 1 })).status).toBe(201);
      expect(await run({ mode: 'spoken' })).toMatchObject(invalid('body.mode'));
    });
  });

  test('are cancelled: the runtime hangs up, and nothing more is played', async () => {
    const runId = await start({ rehearsals: [DINNER], repeat: 20 });
    const call = await take();

    const cancelled = await workspace.api.post(`/api/rehearsal-runs/${runId}/cancel`, {});

    expect(cancelled.body.data).toMatchObject({ status: 'cancelled', progress: { done: 20, total: 20 } });
    await report(call);
    await call.ended();
    expect((await get(runId)).totals).toEqual({ passed: 0, failed: 0, error: 20 });
    expect((await (await worker.offerTo(agentId)).claim()).body.reason).toBe(
      'The rehearsal cannot be claimed: it was cancelled or has ended.',
    );
  });

  test('claim a conversation for one runtime only, and for the same claim again', async () => {
    await start();
    const offer = await worker.offerTo(agentId);
    const call = await offer.take();

    expect((await offer.claim(call.claimId as UUID)).body.token).toBe(call.token);
    expect((await offer.claim()).body.reason).toBe(
      'The rehearsal cannot be claimed: it was claimed already.',
    );
  });

  test('give their runtime the knowledge of the agent, and none of its tools', async () => {
    const tool = { name: 'book_table', description: 'Books a table.', url: 'https://shop.example.com/' };
    await workspace.api.post('/api/tools', tool);
    await workspace.api.put(path, { type: 'outbound', actions: ['book_table'] });
    await start();
    const call = await take();
    const runtime = parley.api.with({ authorization: `Bearer ${call.api.token}`, 'idempotency-key': 'once' });

    expect((await runtime.get(path)).status).toBe(200);
    const asked = await runtime.post(`/api/calls/${call.conversationId}/tools/book_table`, { arguments: {} });
    expect(asked.status).toBe(404);
    expect((await workspace.api.get('/api/tool-invocations')).body.data).toEqual([]);
    await report(call);
    await call.ended();
  });

  test('begin no further conversation when the tokens of the run are used up', async () => {
    const runId = await start({
      rehearsals: Array.from({ length: 10 }, (_, index) => ({ ...DINNER, name: `dinner-${index}` })),
      max_tokens: 100,
    });
    for (let count = 0; count < 8; count += 1) await play();

    expect(await ended(runId)).toMatchObject({
      ...{ status: 'error', totals: { passed: 8, error: 2 } },
      results: expect.arrayContaining([
        expect.objectContaining({ name: 'dinner-9', status: 'error', error: 'REHEARSAL_BUDGET' }),
      ]),
    });
  });

  test('take turns: a small one that begins later does not wait for the end of a large one', async () => {
    const large = await start({ rehearsals: [DINNER], repeat: 20 });
    await play();
    const small = await start({ rehearsals: [{ ...DINNER, name: 'later' }] });
    while ((await get(small)).ended_at === null) await play();

    expect(await get(small)).toMatchObject({ status: 'passed' });
    expect(await get(large)).toMatchObject({ status: 'running', ended_at: null });
  });

  test('are deleted before their time if newer ones have 200,000 conversations, unless today counts their tokens', async () => {
    const [oldest, older, newest] = [await start(), await start(), await start()];
    for (let count = 0; count < 3; count += 1) await play();
    for (const runId of [oldest, older, newest]) await ended(runId);
    await parley.sql(
      `UPDATE rehearsal_runs SET counted = jsonb_set(counted, '{total}', '120000') WHERE id = ANY ($1)`,
      [[older, newest]],
    );
    await parley.sql(`UPDATE rehearsal_runs SET ended_at = ended_at - interval '1 day' WHERE id = $1`, [
      oldest,
    ]);

    await parley.app.get(RehearsalRunsRepository, { strict: false }).deleteExcess();

    const left = (await workspace.api.get('/api/rehearsal-runs')).body.data;
    expect(left).toMatchObject([{ run_id: newest, progress: { total: 120_000 } }, { run_id: older }]);
    expect(left).toHaveLength(2);
  });

  test('are ten at once in a workspace at most', async () => {
    for (let count = 0; count < 10; count += 1) await start();

    const refusal = await workspace.api.post(`${path}/rehearsal-runs`, { rehearsals: [DINNER] });

    expect(refusal.status).toBe(429);
    expect(refusal.body).toMatchObject({ error_code: 'REHEARSAL_RUNS_LIMIT' });
  });

  test('need rehearsals that exist', async () => {
    const run = (body: object, of = path) => workspace.api.post(`${of}/rehearsal-runs`, body);

    expect((await run({})).body).toMatchObject({ error_code: 'NO_REHEARSALS' });
    await workspace.api.post(`${path}/rehearsals`, { ...DINNER, enabled: false });
    expect((await run({})).status).toBe(409);
    expect(await run({ only: ['other'] })).toMatchObject(invalid('body.only.0'));
    expect((await run({ only: ['table-for-two'] })).status).toBe(201);
    expect(await run({}, '/api/agents/unknown')).toMatchObject(agentNotFound());
    expect((await run({ only: ['table-for-two'], version: 9 })).body).toMatchObject({
      error_code: 'AGENT_VERSION_NOT_FOUND',
    });
  });

  describe('with a judge', () => {
    const POLITE = { judge: 'The agent was polite.' };
    const judged = { ...DINNER, checks: [POLITE, ...DINNER.checks] };
    const judge = (call: TakenCall, answers: object[], tokens = 30) =>
      call.report(MESSAGE_TYPES.judged, { answers, tokens });
    /** Plays it, and takes the call that is to judge it. */
    const playFirst = async (facts?: object) => {
      const call = await take();
      await report(call, facts);
      await call.ended();
      return call;
    };

    test.each([
      ['passed', true],
      ['failed', false],
    ])('are offered once more if all else holds, and have %s by its answer', async (status, pass) => {
      const runId = await start({ rehearsals: [judged] });
      await playFirst();
      const offer = await worker.offerTo(agentId);
      expect(offer.start.rehearsal?.judge).toEqual({ criteria: [POLITE.judge], turns: FACTS.turns });
      const call = await offer.take();
      await judge(call, [{ pass, reason: 'It said please.' }]);
      await call.ended();

      const run = await ended(runId);
      expect(run).toMatchObject({ status, tokens: FACTS.figures.tokens + 30 });
      const seen = { check: 'judge', seen: 'It said please.' };
      expect(run.results[0].failed).toEqual(pass ? [] : [seen]);
      const { body } = await workspace.api.get(`/api/rehearsal-runs/${runId}/results/table-for-two/1`);
      expect(body.data).toMatchObject({
        ...{ ...FACTS, figures: { ...FACTS.figures, tokens: 150 } },
        checks: [{ check: 'tool' }, { check: 'ended' }, { ...seen, passed: pass }],
      });
    });

    test('are not judged if another check is red', async () => {
      const runId = await start({ rehearsals: [judged] });
      await playFirst({ ...FACTS, end: { reason: 'user_hangup', by: 'user' } });

      expect((await ended(runId)).results).toMatchObject([{ failed: [{ check: 'ended' }] }]);
    });

    test('have an error if the model has no answer, and are offered once more if they are played again', async () => {
      const plays = { 'no-answer': 1, 'an-old-copy': 2, 'no-judgements': 3 };
      const names = Object.keys(plays);
      const runId = await start({ rehearsals: names.map((name) => ({ ...judged, name })) });
      const played: Record<string, number> = {};
      for (let count = 0; count < 2 + 3 + 3; count += 1) {
        const offer = await worker.offerTo(agentId);
        const call = await offer.take();
        const name = offer.start.rehearsal?.name as keyof typeof plays;
        played[name] = (played[name] ?? 0) + 1;
        const isPlayed = played[name] <= plays[name];
        const answers = name === 'no-answer' ? [] : [{ pass: true, reason: 'Yes.' }];
        await (isPlayed ? report(call) : judge(call, answers));
        await call.ended();
      }

      expect(await ended(runId)).toMatchObject({
        status: 'error',
        results: [
          { status: 'error', error: 'NO_JUDGEMENT', failed: [] },
          { status: 'passed', error: null },
          { status: 'error', error: 'NOT_PLAYED', failed: [] },
        ],
      });
    });

    test('are judged once more if the runtime that judges is lost, and by one report only', async () => {
      const runId = await start({ rehearsals: [judged] });
      const first = await playFirst();
      const lost = await take();
      const call = await take();
      // They are late: the other runtime has it now.
      await judge(lost, [{ pass: false, reason: 'No.' }]);
      await judge(first, [{ pass: false, reason: 'No.' }]);
      await report(first, { ...FACTS, end: { reason: 'user_hangup', by: 'user' } });
      await judge(call, [{ pass: true, reason: 'Yes.' }]);
      await ended(runId);
      await judge(call, [{ pass: false, reason: 'No.' }]);
      await call.ended();

      expect((await ended(runId)).results).toMatchObject([{ status: 'passed' }]);
    });

    test('ignore a judgement of what was not played', async () => {
      const runId = await start({ rehearsals: [judged] });
      const call = await take();
      await judge(call, [{ pass: true, reason: 'Yes.' }]);
      await call.ended();

      expect((await get(runId)).results).toMatchObject([{ status: 'running' }]);
    });
  });

  test('are of one workspace', async () => {
    const runId = await start();
    const stranger = await parley.workspace();
    for (const read of [
      `/api/rehearsal-runs/${runId}`,
      `/api/rehearsal-runs/${runId}/results/table-for-two/1`,
      `/api/rehearsal-runs/${runId}/report`,
      `/api/rehearsal-runs/${runId}/junit`,
    ])
      expect(await stranger.api.get(read)).toMatchObject(runNotFound());
    expect(await stranger.api.post(`/api/rehearsal-runs/${runId}/cancel`, {})).toMatchObject(runNotFound());
    expect((await stranger.api.get('/api/rehearsal-runs')).body.data).toEqual([]);
    expect((await workspace.api.get(`/api/rehearsal-runs?agent_id=${agentId}`)).body.data).toHaveLength(1);
  });
});
