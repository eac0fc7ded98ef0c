import { Gate } from './gate';
import { jsonSize } from './json-size';
import { fittingTool } from './limits';
import { TYPES } from './messages';
import { MemoryOutbox } from './outbox';
import { Reports } from './reports';
import type { OutgoingMessage, Transport } from './transport';

const KIBIBYTE = 1_024;

/** A broker that confirms nothing. */
const silent: Transport = {
  open: () => Promise.resolve(),
  publish: () => new Promise<void>(() => undefined),
  request: () => new Promise(() => undefined),
  consume: () => new Promise(() => undefined),
  close: () => Promise.resolve(),
};

const ignore = () => undefined;
const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
const options = { exchange: 'voice.events', logger, ended: ignore, stuck: ignore, changed: ignore };

test('Turns are sent together, in messages with no more values than the server reads', async () => {
  const sent: OutgoingMessage[] = [];
  const connection = new Gate();
  connection.open();
  const publish = (message: OutgoingMessage) => Promise.resolve(void sent.push(message));
  const reports = new Reports({
    ...options,
    transport: { ...silent, publish },
    connection,
    outbox: new MemoryOutbox(),
  });
  const call = { conversationId: 'c0de', token: 't0' };
  const list = Array.from({ length: 3_000 }, () => 1);
  const tool = fittingTool({ name: 'look', arguments: list, result: { list } }, 1);

  for (let sequence = 1; sequence <= 20; sequence++)
    reports.addTurn(call, { sequence, speaker: 'tool', text: '', started_at: '', tool });
  for (let sequence = 21; sequence <= 2_000; sequence++)
    reports.addTurn(call, { sequence, speaker: 'user', text: `${sequence}`, started_at: '' });
  await reports.settled(10_000);

  expect(tool.arguments).toEqual(list);
  expect(Math.max(...sent.map(({ body }) => jsonSize(body).values))).toBeLessThanOrEqual(8_000);
  const turns = sent.flatMap(({ body }) => (body as { turns: object[] }).turns);
  expect(turns).toHaveLength(2_000);
  expect(sent.length).toBeLessThan(30);
});

test('At most 64 MB of transcripts, recordings and analyses are kept, and every end', () => {
  const kept: string[] = [];
  const errors: string[] = [];
  const reports = new Reports({
    ...options,
    transport: silent,
    connection: new Gate(),
    outbox: {
      keep: ({ type }) => kept.push(type),
      remove: ignore,
      adopt: () => [],
      close: ignore,
    },
    logger: { ...logger, error: (message) => errors.push(message) },
  });
  const call = { conversationId: 'c0de', token: 't0' };
  const text = 'x'.repeat(50 * KIBIBYTE);

  for (let sequence = 1; sequence <= 1_400; sequence++)
    reports.addTurn(call, { sequence, speaker: 'user', text, started_at: '' });
  reports.add({ call, type: TYPES.analyzed, fields: { fields: { text } } });
  reports.add({ call, type: TYPES.ended, fields: { summary: text }, end: true });
  reports.addTurn(call, { sequence: 1_401, speaker: 'user', text, started_at: '' });
  reports.close();

  const turns = kept.filter((type) => type === TYPES.transcript).length;
  expect(turns).toBeGreaterThan(1_300);
  expect((turns * text.length) / KIBIBYTE / KIBIBYTE).toBeLessThan(64);
  expect(kept.filter((type) => type !== TYPES.transcript)).toEqual([TYPES.ended]);
  expect(errors).toHaveLength(1);
});
