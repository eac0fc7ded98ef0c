import { Gate } from './gate';
import { TYPES } from './messages';
import { Reports } from './reports';
import type { Transport } from './transport';

const KIBIBYTE = 1_024;

/** A broker that confirms nothing. */
const silent: Transport = {
  open: () => Promise.resolve(),
  publish: () => new Promise<void>(() => undefined),
  request: () => new Promise(() => undefined),
  consume: () => new Promise(() => undefined),
  close: () => Promise.resolve(),
};

test('At most 64 MB of transcripts, recordings and analyses are kept, and every end', () => {
  const kept: string[] = [];
  const errors: string[] = [];
  const ignore = () => undefined;
  const reports = new Reports({
    transport: silent,
    connection: new Gate(),
    outbox: {
      keep: ({ type }) => kept.push(type),
      remove: ignore,
      adopt: () => [],
      close: ignore,
    },
    exchange: 'voice.events',
    logger: { debug: ignore, info: ignore, warn: ignore, error: (message) => errors.push(message) },
    ended: ignore,
    stuck: ignore,
    changed: ignore,
  });
  const call = { conversationId: 'c0de', token: 't0' };
  const text = 'x'.repeat(50 * KIBIBYTE);

  for (let sequence = 1; sequence <= 1_400; sequence++)
    reports.addTurn(call, { sequence, speaker: 'user', text, started_at: '' });
  reports.add({ call, type: TYPES.analyzed, fields: { fields: { text } } });
  reports.add({ call, type: TYPES.ended, fields: { summary: text }, end: true });
  reports.close();

  const turns = kept.filter((type) => type === TYPES.transcript).length;
  expect(turns).toBeGreaterThan(1_300);
  expect((turns * text.length) / KIBIBYTE / KIBIBYTE).toBeLessThan(64);
  expect(kept.filter((type) => type !== TYPES.transcript)).toEqual([TYPES.ended]);
  expect(errors).toHaveLength(1);
});
