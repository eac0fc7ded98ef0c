import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { ExpiredKeysCleaner } from '../../src/accounts/idempotency/expired-keys-cleaner';
import { MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import { createCallToken } from '../../src/accounts/auth/call-token';
import { CallsRepository } from '../../src/features/calls/lifecycle/calls.repository';
import { createAgent } from '../support/agents';
import { outcome, refused } from '../support/answers';
import { AgentCalls } from '../support/calls';
import { campaignReached, createCampaign, csv, readCampaign } from '../support/campaigns';
import { columnsWith, readTextColumns, tablesWith } from '../support/database-dump';
import { readLedger } from '../support/ledger';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { answeringStatus, WebhookReceiver } from '../support/webhook-receiver';
import { Webhooks } from '../support/webhooks';
import { incomingOverTheWire } from '../support/wire-claims';
import { TakenCall, TestWorker } from '../support/worker';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into all of it
type Shown = any;

let last = 7_310_000;
/** A number that no other test uses. */
const nextNumber = () => `+1555${(last += 1)}`;

const toColumns = (names: Record<string, string>) =>
  Object.fromEntries(Object.entries(names).map(([table, columns]) => [table, columns.split(' ').sort()]));

/** The columns in which the product stores data of a person whom a workspace calls. */
const OF_PERSON = toColumns({
  'public.call_analyses': 'fields criteria',
  'public.call_findings': 'fields criteria answers',
  'public.call_recordings': 'url',
  'public.call_warnings': 'warnings',
  'public.campaign_recipients': 'phone_number customer_name dynamic_variables',
  'public.conversations': 'to_number from_number request summary process_compliance',
  'public.do_not_call': 'phone_number reason',
  'public.notes': 'phone_number text',
  'public.recipient_search_blocks': 'numbers names',
  'public.tool_invocations': 'key arguments result error variables note',
  'public.transcript_turns': 'text tool',
  'public.webhook_attempts': 'answer_headers answer_body',
  'public.webhook_deliveries': 'url',
  'public.webhook_events': 'data',
});

/** All other columns that can hold a text, by the reason why they need no erasure. */
const OTHERS: Record<string, Record<string, string>> = {
  'another test erases it': {
    'public.agents': 'deployment_error',
    'public.erasures': 'phone_number',
    'public.idempotency_keys': 'endpoint key answer',
    'public.recipient_search_blocks': 'irregular',
    'public.rehearsal_results': 'person_number',
    'public.rehearsals': 'person_number',
    'public.webhook_deliveries': 'data',
  },
  'the product chooses the value': {
    'graphile_worker._private_jobs': 'key last_error locked_by payload flags',
    'graphile_worker._private_job_queues': 'queue_name locked_by',
    'graphile_worker._private_known_crontabs': 'identifier',
    'graphile_worker._private_tasks': 'identifier',
    'public.audit_entries':
      'actor_kind actor_id actor_name action target_kind target_id target_name details request_id ip',
    'public.call_events': 'kind data',
    'public.call_measurements': 'amounts',
    'public.call_rollups': 'call_type',
    'public.call_segment_durations': 'connected failed',
    'public.call_values': 'dimension value',
    'public.campaign_log': 'event actor text data',
    'public.campaign_recipients': 'skipped status timezone',
    'public.conversations': 'user_id status call_type direction channel started_by hangup_requested_by',
    'public.credit_entries': 'kind',
    'public.do_not_call': 'source created_by',
    'public.erasures': 'status',
    'public.measurement_rollups': 'measure',
    'public.migrations': 'name',
    'public.notes': 'updated_by',
    'public.recording_files': 'content_type',
    'public.tool_invocations': 'state same_as settled_by',
    'public.transcript_turns': 'speaker',
    'public.webhook_attempts': 'error',
    'public.webhook_deliveries': 'type status last_error traceparent',
    'public.webhook_endpoints': 'status paused_reason last_error',
    'public.webhook_events': 'type traceparent',
  },
  'runtimes must not write about the person into it': {
    'public.conversations': 'worker_id disconnect_reason disconnected_by outcome join_url listen_url',
    'public.workers': 'id name version providers',
  },
  'it is about the workspace itself': {
    'public.agent_versions': 'snapshot tools analysis created_by',
    'public.agents':
      'user_id name slug type category config analysis deployment_status publish active_type deployment_by updated_by',
    'public.api_keys': 'user_id hint scopes name created_by',
    'public.campaign_zones': 'timezone',
    'public.campaigns':
      'user_id name status failure_reason timezone windows retry webhook_url waiting outcomes retrying_outcomes',
    'public.console_links': 'user_id name',
    'public.conversations': 'agent_snapshot',
    'public.knowledge_base_passages': 'text search',
    'public.knowledge_base_sources': 'type name url status reason file_name file_type text',
    'public.knowledge_base_words': 'word',
    'public.knowledge_bases': 'name description type',
    'public.people': 'name email role issuer subject invited_by',
    'public.phone_numbers': 'number type',
    'public.prompt_templates': 'id name category greeting prompt dynamic_variables',
    'public.rehearsal_results': 'name definition status worker_id tool_uses reported facts checks error',
    'public.rehearsal_runs': 'fields configuration cause mode status created_by counted report_sha256',
    'public.rehearsals': 'name definition updated_by',
    'public.removed_identities': 'issuer subject',
    'public.saved_views': 'page name query period updated_by',
    'public.sessions': 'credential_kind user_id scopes ip name',
    'public.tools': 'name definition secrets updated_by',
    'public.tool_invocations': 'tool',
    'public.webhook_endpoints': 'url events agent_ids description secret previous_secret',
    'public.webhook_secrets': 'secret previous_secret',
    'public.workspaces': 'name subscription_status publish',
  },
};

const AT = '2026-01-31T09:30:08.000Z';

describe('The erasure of a person', () => {
  const parley = useOwnParley({ ALLOW_PRIVATE_ADDRESSES: 'true', CAMPAIGN_INTERVAL_MS: '50' });
  const worker = useStarted(() => TestWorker.start(parley));
  const receiver = useStarted(() => WebhookReceiver.start());
  let workspace: TestWorkspace;
  let calls: AgentCalls;

  beforeEach(async () => {
    workspace = await parley.workspace();
    receiver.answer('/look_up', (response) => void response.end(lastAsked('/look_up')));
    receiver.answer('/lose', (response) => void response.destroy());
    receiver.answer('/refuse', (response) => void response.writeHead(409).end(lastAsked('/refuse')));
    for (const name of ['look_up', 'refuse', 'lose'])
      await workspace.api.post('/api/tools', {
        ...{ name, description: 'Looks somebody up.', url: receiver.url(`/${name}`) },
        parameters: { type: 'object', properties: { name: { type: 'string' } } },
        results: [{ variable: 'found', pointer: '/of' }],
      });
    calls = new AgentCalls(
      workspace.api,
      await createAgent(workspace, { actions: ['look_up', 'refuse', 'lose'] }),
    );
  });

  const lastAsked = (path: string) =>
    JSON.stringify({ of: receiver.at(path).at(-1)?.payload.name as string });
  const taken = async (id: string) => (await worker.findOffer(id)).take();
  const get = async (path: string): Promise<Shown> => (await workspace.api.get(path)).body.data;
  const read = (id: string) => get(`/api/calls/${id}`);
  async function request(phone_number: string): Promise<string> {
    const { status, body } = await workspace.api.post('/api/erasures', { phone_number });
    expect({ status, body }).toMatchObject({ status: 201, body: { data: { status: expect.any(String) } } });
    expect(Object.keys(body.data as object)).toEqual(['erasure_id', 'status']);
    return body.data.erasure_id as string;
  }
  const reached = (
    id: string,
    status: string,
    condition: (erasure: Shown) => boolean = () => true,
  ): Promise<Shown> =>
    until(async () => {
      const erasure = await get(`/api/erasures/${id}`);
      return erasure.status === status && condition(erasure) && erasure;
    });
  const erase = async (phone_number: string) => reached(await request(phone_number), 'completed');

  /** All reports that a runtime can send about a call, with the name of the person in each. */
  async function report(call: TakenCall, name: string): Promise<void> {
    await call.connected();
    await call.transcript([
      { sequence: 1, speaker: 'user', text: `This is ${name} speaking`, started_at: AT },
      {
        sequence: 2,
        speaker: 'tool',
        text: '',
        started_at: AT,
        tool: { name: 'look_up', arguments: { name } },
      },
    ]);
    await askForTool(call, name);
    await call.report(MESSAGE_TYPES.recorded, {
      recording_url: `https://example.com/${name}.wav`,
    });
    await call.report(MESSAGE_TYPES.analyzed, {
      fields: { spoke_to: name },
      criteria: { polite: { pass: true, turns: [1], reason: `${name} said so` } },
    });
    await call.report(MESSAGE_TYPES.warning, { code: 'voice_fallback', text: `${name} heard another voice` });
    const id = call.conversationId;
    await until(async () => {
      const { turns } = await get(`/api/calls/${id}/transcript`);
      const { has_recording, analysis } = await read(id);
      const warnings = await parley.sql('SELECT FROM call_warnings WHERE conversation_id = $1', [id]);
      return turns.length === 2 && has_recording && analysis && warnings.length === 1;
    });
    await call.ended({
      summary: `${name} agreed`,
      process_compliance: `${name} was told`,
      outcome: 'booked',
    });
    await calls.reached(id, 'disconnected');
  }

  /** The answer of the tool repeats what was sent, also as a variable of the call. */
  async function askForTool({ conversationId, token }: TakenCall, name: string): Promise<void> {
    const authorization = `Bearer ${createCallToken(conversationId, token)}`;
    const ask = (tool: string) =>
      parley.api
        .with({ authorization, 'idempotency-key': `${tool} for ${name}` })
        .post(`/api/calls/${conversationId}/tools/${tool}`, { arguments: { name } });
    const { body } = await ask('look_up');
    expect(body).toMatchObject({ data: { state: 'done', result: { of: name }, variables: { found: name } } });
    expect((await ask('refuse')).body.data).toMatchObject({ state: 'refused' });
    const lost = (await ask('lose')).body.data;
    const note = { state: 'done', note: `${name} has it` };
    await workspace.api.post(`/api/tool-invocations/${lost.invocation_id}/resolve`, note);
  }

  const createFields = (name: string) => ({
    customer_name: name,
    greeting: `Hello ${name}`,
    dynamic_variables: { full_name: name },
    external_id: `crm of ${name}`,
    memory_id: `memory of ${name}`,
    style: `as ${name} likes it`,
  });

  /** An answer that repeats what was sent. */
  const echo = (number: string, name: string) => (response: ServerResponse) =>
    void response.writeHead(200, { 'x-person': name }).end(`{"of":"${number}"}`);

  /** Adds data of a person in every place that can store some. */
  async function leaveTraces(number: string, name: string) {
    const line = nextNumber();
    const hook = `/hook-of-line-${line.slice(1)}`;
    receiver.answer(hook, echo(number, name));
    await workspace.api.put(`/api/agents/${calls.agentId}/phone-number`, { phone_number: line });
    const key = { 'x-api-key': workspace.apiKey, 'idempotency-key': randomUUID() };
    const started = await workspace.api.with(key).post(`/api/agents/${calls.agentId}/calls`, {
      to_number: number,
      webhook_url: receiver.url(`/hook?person=${encodeURIComponent(number)}`),
      ...createFields(name),
    });
    const outbound = await taken(started.body.data.conversation_id as string);
    // The text about criteria of later calls is not that of the runtime.
    await workspace.api.put(`/api/agents/${calls.agentId}/analysis`, {
      fields: [{ name: 'spoke_to', type: 'string', description: 'The person.' }],
      criteria: [{ name: 'polite', text: 'The person was polite.' }],
    });
    const second = await taken(
      await calls.start({
        to_number: number,
        webhook_url: receiver.url(
          `/hook/${encodeURIComponent(createFields(name).external_id.toUpperCase())}`,
        ),
        ...createFields(name),
      }),
    );
    const { body: accepted } = (await incomingOverTheWire(parley, {
      claim_id: randomUUID(),
      worker_id: `worker of ${line}`,
      to_number: line,
      from_number: number,
      dynamic_variables: { full_name: name },
      external_id: `crm of ${name}`,
    })) as Shown;
    const inbound = new TakenCall(parley, accepted.conversation_id as string, accepted.token as string);
    const file = csv(
      `phone_number,customer_name,full_name\n${number},${name},${name}\n+15557399999,Other,Other\n`,
    );
    const campaign = await createCampaign(workspace.api, calls.agentId, file, {
      webhookUrl: receiver.url(hook),
    });
    const recipients = () =>
      get(`/api/campaign/${campaign}/recipients`) as Promise<
        { last_call_id: string; phone_number: string }[]
      >;
    await until(async () => (await recipients()).every(({ last_call_id }) => last_call_id));
    const dialled = (await recipients()).find(({ phone_number }) => phone_number === number)
      ?.last_call_id as string;
    const called = await taken(dialled);
    for (const call of [outbound, second, inbound, called]) await report(call, name);
    for (const { conversationId } of [second, inbound, called])
      await until(async () => (await read(conversationId)).findings);
    await campaignReached(workspace.api, campaign, ({ progress }) => progress.disconnected === 1);
    await until(async () => {
      const deliveries = await new Webhooks(workspace.api).ofCall(dialled);
      return deliveries.length === 2 && deliveries.every(({ status }) => status === 'delivered');
    });
    return {
      ids: [outbound, second, inbound, called].map(({ conversationId }) => conversationId),
      campaign,
      line,
    };
  }

  const tellingTexts = (number: string, name: string) => [
    number.slice(1),
    name,
    name.toLowerCase(),
    name.toUpperCase(),
  ];

  test('concerns the listed columns: each column that can hold a text is of a person, or has a reason not to be', async () => {
    const listed = [OF_PERSON, ...Object.values(OTHERS).map(toColumns)]
      .flatMap((tables) => Object.entries(tables))
      .flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`));
    const stored = Object.entries(await readTextColumns(parley)).flatMap(([table, columns]) =>
      columns.map((column) => `${table}.${column}`),
    );

    expect(listed.sort()).toEqual(stored.sort());
  });

  test('leaves everybody else in the search of a campaign, also with the same name or a longer number', async () => {
    const numbers = ['+4930123456', '+49301234567', '+4930123457', '+4930123458'];
    const rows = numbers.map((number, index) => `${number},${index < 3 ? 'Johann Johnson' : 'Ada Johnson'}`);
    const file = csv(['phone_number,customer_name', ...rows].join('\n'));
    const schedule = { isScheduled: 'true', scheduleTime: new Date(Date.now() + 86_400_000).toISOString() };
    const campaign = await createCampaign(workspace.api, calls.agentId, file, schedule);
    const found = async (search: string) => {
      const { body } = await workspace.api.get(
        `/api/campaign/${campaign}/recipients?search=${encodeURIComponent(search)}`,
      );
      const shown = (body.data as { phone_number: string }[]).map(({ phone_number }) => phone_number);
      return { shown, total: body.pagination.total as number };
    };
    expect(await found('joh')).toEqual({ shown: numbers, total: 4 });

    await erase('+4930123456');

    expect(await found('joh')).toEqual({ shown: numbers.slice(1), total: 3 });
    expect(await found('johann')).toEqual({ shown: numbers.slice(1, 3), total: 2 });
    expect(await found('+4930123456')).toEqual({ shown: ['+49301234567'], total: 1 });

    for (const number of numbers.slice(1)) await erase(number);

    expect(await found('joh')).toEqual({ shown: [], total: 0 });
  });

  test('finds the person in every table, and nobody else', async () => {
    const [person, other] = [nextNumber(), nextNumber()];
    const { ids, campaign, line } = await leaveTraces(person, 'Adaqlovelacez');
    const { ids: otherIds } = await leaveTraces(other, 'Gracexhopperz');
    await workspace.api.post('/api/do-not-call', { phone_number: person, reason: 'Adaqlovelacez wrote' });
    const note = { phone_number: person, text: 'Adaqlovelacez prefers mornings', updated_at: null };
    expect((await workspace.api.put('/api/notes', note)).status).toBe(200);
    expect(await columnsWith(parley, tellingTexts(person, 'Adaqlovelacez'))).toEqual(OF_PERSON);
    const others = await tablesWith(parley, tellingTexts(other, 'Gracexhopperz'));
    const [ledger, totals, progress] = [
      await readLedger(parley, workspace.workspaceId),
      await get('/api/reports/agents/calls'),
      (await readCampaign(workspace.api, campaign)).progress as object,
    ];
    const callBefore = await read(ids[0] as string);

    const erasure = await erase(person);

    expect(erasure).toMatchObject({ calls: 4, recipients: 1, calls_under_way: 0, do_not_call: true });
    expect(await tablesWith(parley, tellingTexts(person, 'Adaqlovelacez'))).toEqual({
      // The entry is still on the list, which prevents calls to the person.
      [person.slice(1)]: ['public.do_not_call'],
      Adaqlovelacez: [],
      adaqlovelacez: [],
      ADAQLOVELACEZ: [],
    });
    expect(await tablesWith(parley, tellingTexts(other, 'Gracexhopperz'))).toEqual(others);
    expect(await read(otherIds[0] as string)).toMatchObject({
      to_number: other,
      recording_url: 'https://example.com/Gracexhopperz.wav',
    });

    const [outbound, second, inbound] = await Promise.all(ids.map(read));
    expect(outbound).toEqual({
      ...callBefore,
      to_number: '',
      ...{ customer_name: '', external_id: '', has_recording: false, recording_url: null },
      ...{ dynamic_variables: {}, style: '', memory_id: '', webhook_url: '' },
      metadata: { summary: '', process_compliance: '', outcome: 'booked' },
      analysis: {},
      // The texts are those of the agent again.
      greeting: expect.not.stringContaining('Adaq') as unknown,
      agent_config: expect.any(Object) as unknown,
    });
    expect(second.findings).toEqual({ fields: {}, criteria: {} });
    expect(inbound).toMatchObject({ from_number: '', to_number: line, outcome: 'booked', charge: 1 });
    expect(await get(`/api/calls/${ids[0]}/transcript`)).toMatchObject({ turns: [] });
    expect((await workspace.api.get(`/api/calls/${ids[0]}/timeline`)).status).toBe(200);
    expect(await readLedger(parley, workspace.workspaceId)).toEqual(ledger);
    expect(await get('/api/reports/agents/calls')).toMatchObject({ total_calls: totals.total_calls });
    expect((await readCampaign(workspace.api, campaign)).progress).toEqual(progress);
    expect((await workspace.api.get(`/api/calls?number=${person.slice(-7)}`)).body.data).toEqual([]);
    expect(await get(`/api/campaign/${campaign}/recipients`)).toMatchObject([
      {
        phone_number: '',
        customer_name: '',
        status: 'disconnected',
        last_call_id: ids[3],
        outcome: 'booked',
      },
      { phone_number: '+15557399999' },
    ]);
  });

  test('is recorded in the audit, and read afterwards, without the number', async () => {
    const number = nextNumber();
    const erasure = await erase(number);

    expect(await get('/api/erasures')).toEqual([erasure]);
    expect(erasure).toMatchObject({
      calls: 0,
      recipients: 0,
      do_not_call: false,
      completed_at: expect.any(String),
    });
    expect(await get('/api/audit?action=erasure.requested')).toMatchObject([
      { target: { kind: 'erasure', id: erasure.erasure_id } },
    ]);
    expect(await tablesWith(parley, [number.slice(1)])).toEqual({ [number.slice(1)]: [] });
    const foreign = await parley.workspace();
    expect(await outcome(foreign.api.get(`/api/erasures/${erasure.erasure_id}`))).toEqual(
      refused(404, 'Erasure not found', { error_code: 'ERASURE_NOT_FOUND' }),
    );
  });

  test('waits for a call that is under way, and then erases its data', async () => {
    const number = nextNumber();
    const id = await calls.start({ to_number: number, customer_name: 'Berylq' });
    const call = await taken(id);
    const erasureId = await request(number);
    await reached(erasureId, 'waiting', ({ calls_under_way }) => calls_under_way === 1);
    expect(await read(id)).toMatchObject({ to_number: number, status: 'accepted' });
    expect(await request(number)).toBe(erasureId);

    await report(call, 'Berylq');

    await reached(erasureId, 'completed', ({ calls: erased }) => erased === 1);
    expect(await tablesWith(parley, [number.slice(1), 'Berylq'])).toEqual({
      [number.slice(1)]: [],
      Berylq: [],
    });
    expect(await read(id)).toMatchObject({ to_number: '', status: 'disconnected', charge: 1 });
  });

  test('stays when a runtime reports late, whether it was considered lost or not', async () => {
    const number = nextNumber();
    const [ended, lost] = [
      await taken(await calls.start({ to_number: number })),
      await taken(await calls.start({ to_number: number })),
    ];
    await ended.ended();
    await calls.reached(ended.conversationId, 'disconnected');
    await lost.connected();
    await calls.reached(lost.conversationId, 'connected');
    await parley.sql(`UPDATE conversations SET heartbeat_at = now() - interval '1 hour' WHERE id = $1`, [
      lost.conversationId,
    ]);
    const sweeper = parley.app.get(CallsRepository, { strict: false });
    expect(await sweeper.endLost({ id: lost.conversationId, status: 'connected' }, 60)).toBe(true);
    await erase(number);

    for (const call of [ended, lost]) {
      await call.transcript([{ sequence: 1, speaker: 'user', text: 'Coraq again', started_at: AT }]);
      await call.report(MESSAGE_TYPES.recorded, { recording_url: 'https://example.com/Coraq.wav' });
      await call.report(MESSAGE_TYPES.analyzed, { fields: { spoke_to: 'Coraq' } });
      await call.ended({ summary: 'Coraq agreed' });
    }
    // Events are handled in turn: a later event shows that the earlier ones were handled.
    const next = await taken(await calls.start());
    await next.ended();
    await calls.reached(next.conversationId, 'disconnected');

    expect(await read(lost.conversationId)).toMatchObject({ disconnect_reason: 'worker_lost' });
    expect(await tablesWith(parley, ['Coraq'])).toEqual({ Coraq: [] });
  });

  test('cancels queued calls, and a campaign does not call the person again', async () => {
    const [called, waits] = [nextNumber(), nextNumber()];
    const queued = await calls.start({ to_number: waits });
    const retry = { on: ['dial_busy'], max: 3, afterMinutes: [0] };
    const file = csv(`phone_number\n${called}\n${waits}\n+15557399998\n`);
    const campaign = await createCampaign(workspace.api, calls.agentId, file, {
      concurrency: '1',
      retry: JSON.stringify({ ...retry, afterMinutes: [10_000] }),
    });
    const recipients = () => get(`/api/campaign/${campaign}/recipients`) as Promise<Shown[]>;
    const first = await until(async () => (await recipients())[0].last_call_id as string | null);
    const call = await taken(first);

    const erasures = [await request(called), await request(waits)];
    await reached(erasures[0] as string, 'waiting', ({ calls_under_way }) => calls_under_way === 1);
    await reached(erasures[1] as string, 'completed', ({ recipients: erased }) => erased === 1);
    await call.failed({ disconnect_reason: 'dial_busy' });
    await reached(erasures[0] as string, 'completed', ({ recipients: erased }) => erased === 1);

    expect(await read(queued)).toMatchObject({
      status: 'failed',
      disconnect_reason: 'cancelled',
      to_number: '',
    });
    const texts = (await get(`/api/calls/${queued}/timeline`)).map(
      ({ text }: { text: string }) => text,
    ) as string[];
    expect(texts).toContain(
      'The call was cancelled before a runtime claimed it, because the person is being erased.',
    );
    await campaignReached(
      workspace.api,
      campaign,
      ({ progress }) => progress.failed === 1 && progress.skipped === 1,
    );
    expect(await recipients()).toMatchObject([
      { phone_number: '', status: 'failed', attempts: 1, next_attempt_at: null },
      { phone_number: '', status: 'skipped', attempts: 0, outcome: 'removed' },
      { phone_number: '+15557399998' },
    ]);
    const log = (await get(`/api/campaign/${campaign}/log`)) as { event: string; text: string }[];
    expect(log.filter(({ event }) => event === 'recipient_removed').map(({ text }) => text)).toEqual([
      expect.stringContaining('row 3'),
      expect.stringContaining('row 2'),
    ]);
  });

  test.each([
    ['of this release', ''],
    [
      'of the release before events',
      'UPDATE webhook_deliveries SET data = $2, event_id = NULL WHERE id = $1',
    ],
  ])('leaves webhooks %s to be sent, without the person', async (_, change) => {
    const number = nextNumber();
    const path = `/away/${change.length}`;
    receiver.answer(path, answeringStatus(500));
    const id = await calls.start({
      to_number: number,
      webhook_url: receiver.url(path),
      external_id: 'crm of Adaq',
    });
    await (await taken(id)).failed();
    const webhooks = new Webhooks(workspace.api);
    const first = await until(async () =>
      (await webhooks.ofCall(id)).find(({ attempt_count }) => attempt_count === 1),
    );
    const { payload } = await webhooks.tried(first.delivery_id);
    if (change) await parley.sql(change, [first.delivery_id, payload.data]);

    await erase(number);

    const [delivery] = await webhooks.ofCall(id);
    await workspace.api.post(`/api/webhooks/deliveries/${delivery?.delivery_id}/replay`);
    await until(() => receiver.at(path).length === 2);
    expect(receiver.at(path)[1]?.payload).toMatchObject({
      type: 'call.failed',
      data: { conversation_id: id, to_number: null, external_id: '', status: 'failed' },
    });
  });

  test('keeps no answer to a webhook that was sent before', async () => {
    const number = nextNumber();
    const held: ServerResponse[] = [];
    receiver.answer('/slow', (response) => held.push(response));
    const id = await calls.start({ to_number: number, webhook_url: receiver.url('/slow') });
    await (await taken(id)).failed();
    await until(() => held.length === 1);

    await erase(number);
    held.forEach(echo(number, 'Adaq'));

    const webhooks = new Webhooks(workspace.api);
    await until(async () => (await webhooks.ofCall(id))[0]?.status === 'delivered');
    expect(await tablesWith(parley, [number.slice(1)])).toEqual({ [number.slice(1)]: [] });
  });

  test('waits for an Idempotency-Key that has the number in it, so that no request is done twice', async () => {
    const number = nextNumber();
    const api = workspace.api.with({ 'x-api-key': workspace.apiKey, 'idempotency-key': `call ${number}` });
    const start = async () => {
      const { body } = await api.post(`/api/agents/${calls.agentId}/calls`, { to_number: number });
      return body.data.conversation_id as string;
    };
    const id = await start();

    const erasureId = await request(number);
    await reached(erasureId, 'waiting', ({ calls: erased }) => erased === 1);
    expect(await start()).toBe(id);
    await parley.sql(
      `UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE workspace_id = $1`,
      [workspace.workspaceId],
    );
    await parley.app.get(ExpiredKeysCleaner, { strict: false }).clean();

    await reached(erasureId, 'completed');
    expect(await tablesWith(parley, [number.slice(1)])).toEqual({ [number.slice(1)]: [] });
  });

  test('finds the number in the spelling of the request and in the one in which numbers are stored', async () => {
    const ids = [];
    for (let call = 0; call < 2; call += 1) {
      ids.push(await calls.start({ to_number: '+442079460961' }));
      await (await taken(ids[call] as string)).failed();
      await calls.reached(ids[call] as string, 'failed');
    }
    // An earlier release stored what was given.
    await parley.sql(`UPDATE conversations SET to_number = '+4402079460961' WHERE id = $1`, [ids[1]]);

    await request('+4402079460961');

    for (const id of ids) await until(async () => !(await read(id)).to_number);
  });

  test('is refused when a thousand are open', async () => {
    await parley.sql(
      `INSERT INTO erasures (id, workspace_id, phone_number, due_at)
       SELECT gen_random_uuid(), $1, '+1555' || n, now() + interval '1 hour' FROM generate_series(1, 1000) AS n`,
      [workspace.workspaceId],
    );

    expect(await outcome(workspace.api.post('/api/erasures', { phone_number: nextNumber() }))).toMatchObject({
      status: 403,
      body: { error_code: 'OPEN_ERASURES_LIMIT_REACHED' },
    });
    expect((await workspace.api.post('/api/erasures', { phone_number: 'Ada' })).body).toMatchObject({
      error_code: 'VALIDATION_FAILED',
      errors: [{ field: 'body.phone_number' }],
    });
  });
});
