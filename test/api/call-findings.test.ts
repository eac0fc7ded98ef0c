import { MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { answeringJson, MONDAY, type Shown, useToolShop } from '../support/tool-shop';
import { until } from '../support/until';
import type { TakenCall } from '../support/worker';

const AT = '2026-01-31T09:30:08.000Z';

const about = (name: string, type: string, more: object = {}) => ({
  name,
  type,
  description: 'It.',
  ...more,
});

const ANALYSIS = {
  fields: [
    about('result', 'string', { enum: ['booked', 'none'] }),
    about('persons', 'integer'),
    about('guest', 'string', { from: 'variable:guest' }),
    about('booking', 'string', { from: 'tool:book_table#/booking/id' }),
    about('phone', 'string', { from: 'regex:my number is (\\d+)' }),
  ],
  criteria: [
    { name: 'consent', text: 'The person agreed.' },
    { name: 'price', text: 'The price was said.' },
  ],
};

describe('The findings of a call', () => {
  const { tried, parley, worker, shop, createTool, asked } = useToolShop();
  let calls: AgentCalls;

  beforeEach(async () => {
    await createTool();
    const agentId = await createAgent(tried.workspace, { actions: ['book_table'] });
    calls = new AgentCalls(tried.workspace.api, agentId);
  });

  const analyse = (analysis: object = ANALYSIS) =>
    tried.workspace.api.put(`/api/agents/${calls.agentId}/analysis`, analysis);
  const take = async (fields: object = {}): Promise<TakenCall> =>
    (await worker.findOffer(await calls.start(fields))).take();
  const read = async ({ conversationId }: TakenCall): Promise<Shown> =>
    (await tried.workspace.api.get(`/api/calls/${conversationId}`)).body.data;
  const findings = (call: TakenCall, condition: (found: Shown) => boolean = Boolean): Promise<Shown> =>
    until(async () => {
      const { findings: found } = await read(call);
      return found && condition(found) && found;
    });
  const say = (call: TakenCall, sequence: number, text: string, speaker = 'user') =>
    call.transcript([{ sequence, speaker, text, started_at: AT }]);
  const report = (call: TakenCall, fields: object, criteria?: object | null) =>
    call.report(MESSAGE_TYPES.analyzed, { fields, criteria });

  test('are what its runtime reports, its tools and variables have, and the person said', async () => {
    await analyse();
    shop.answer(tried.path, answeringJson({ booking: { id: 'b-7' } }));
    const call = await take({ dynamic_variables: { guest: 'Ada' } });
    await call.connected();
    await asked(call, MONDAY);
    await say(call, 1, 'my number is 123', 'agent');
    await say(call, 2, 'Oh, my number is 456');
    await report(
      call,
      { result: 'booked', persons: '4', phone: 'of the model', mood: 'fine' },
      { consent: { pass: true, turns: [2, 9], reason: 'She said so.', more: 1 }, mood: { pass: false } },
    );
    await call.ended();

    expect(await findings(call)).toEqual({
      fields: {
        result: { value: 'booked', reason: null },
        persons: { value: 4, reason: null },
        guest: { value: 'Ada', reason: null },
        booking: { value: 'b-7', reason: null },
        phone: { value: '456', reason: null },
      },
      criteria: {
        consent: { pass: true, turns: [2], reason: 'She said so.' },
        price: { pass: null, turns: [], reason: 'not reported' },
      },
    });
    const { analysis, metadata } = await read(call);
    expect(analysis).toEqual({ result: 'booked', persons: '4', phone: 'of the model', mood: 'fine' });
    expect(metadata.process_compliance).toBe('1 of 2; unclear: price');
    expect((await calls.conversation(call.conversationId)).metadata).toEqual(metadata);
  });

  test('follow from later reports, and from what came of tools after the end', async () => {
    await analyse();
    const call = await take();
    await call.connected();
    shop.answer(tried.path, (response) => void response.destroy());
    const { invocation_id } = await asked(call, MONDAY);
    await report(call, {}, { price: { pass: false } });
    await call.ended({ process_compliance: 'as the runtime says' });
    const first = await findings(call);
    expect(first.fields).toMatchObject({
      result: { value: null, reason: 'not reported' },
      guest: { reason: 'the call has no variable guest' },
      booking: { value: null, reason: 'book_table was not done' },
      phone: { reason: "nothing in the person's words matches" },
    });
    expect((await read(call)).metadata.process_compliance).toBe('0 of 2: price; unclear: consent');

    const path = `/api/tool-invocations/${invocation_id}/resolve`;
    await tried.workspace.api.post(path, { state: 'done', note: '' });
    await findings(
      call,
      ({ fields }) => fields.booking.reason === 'the result of book_table has nothing there',
    );

    await say(call, 1, 'my number is 789');
    await findings(call, ({ fields }) => fields.phone.value === '789');

    await report(call, { persons: 'many' }, { price: { pass: true, turns: [1], reason: '' } });
    const last = await findings(call, ({ criteria }) => criteria.price.pass);
    expect(last.fields.persons).toEqual({ value: null, reason: '"many" is no integer' });
    expect((await read(call)).metadata.process_compliance).toBe('1 of 2; unclear: consent');
  });

  test('are those of the version with which the call began', async () => {
    const before = await take();
    await analyse({ fields: [], criteria: ANALYSIS.criteria });
    const [call, unclaimed] = [await take(), await take()];
    await analyse({ fields: [], criteria: [] });
    for (const each of [before, call]) {
      await each.connected();
      await report(each, { seen: true }, { consent: { pass: false } });
      await each.ended({ process_compliance: 'as the runtime says' });
    }
    await unclaimed.failed();

    expect((await findings(call)).criteria.consent.pass).toBe(false);
    const { findings: none, analysis, metadata } = await read(before);
    expect([none, analysis, metadata.process_compliance]).toEqual([
      null,
      { seen: true },
      'as the runtime says',
    ]);
    expect((await read(unclaimed)).findings).toBeNull();
    const ids = [before, unclaimed].map(({ conversationId }) => conversationId);
    expect(await parley.sql('SELECT FROM due_findings WHERE conversation_id = ANY ($1)', [ids])).toHaveLength(
      0,
    );
  });

  test.each([
    ['is no object', [] as object],
    ['has no answer', { consent: {} }],
    ['has another answer', { consent: { pass: 'yes' } }],
    ['has turns that are none', { consent: { pass: true, turns: [1.5] } }],
    ['has too many turns', { consent: { pass: true, turns: Array.from({ length: 101 }, (_, n) => n) } }],
    ['has a long reason', { consent: { pass: true, reason: 'x'.repeat(2_001) } }],
    ['has too many criteria', Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, { pass: true }]))],
  ])('do not come from a report whose list of criteria %s', async (_, criteria) => {
    const call = await take();
    await report(call, { seen: 1 }, criteria);
    await report(call, { seen: 2 }, null);

    expect(await until(async () => (await read(call)).analysis)).toEqual({ seen: 2 });
  });

  test('are in the message that offers the call, as far as the runtime finds them out', async () => {
    await analyse();
    const { start } = await worker.findOffer(await calls.start());

    expect(start.analysis).toEqual({
      fields: ANALYSIS.fields.slice(0, 2),
      criteria: ANALYSIS.criteria,
    });
  });
});
