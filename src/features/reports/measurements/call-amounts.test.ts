import { type MeasuredTurn, measureCall, parseMeasure, readUsage, subtractAmounts } from './call-amounts';

const at = (second: number) => new Date(second * 1_000).toISOString();

const TURNS: MeasuredTurn[] = [
  ['agent', at(0), at(1)],
  ['user', at(2), at(3)],
  ['agent', at(4), at(5)],
  ['user', at(6), at(7)],
  ['agent', at(8.02), at(9)],
];

test('the latencies of a call are counted by bands, and the usage by its provider', () => {
  const fields = {
    stt_seconds: 12.4,
    stt_provider: 'deepgram',
    llm_tokens: 900,
    llm_provider: 'openai',
    mood: 'good',
  };
  const amounts = measureCall({ turns: TURNS, fields, before: null });
  expect(amounts).toEqual({ 'latency/25': 2, 'stt_seconds/deepgram': 12, 'llm_tokens/openai': 900 });
  expect(Object.keys(amounts).map(parseMeasure)).toEqual([
    { latencyBand: 25 },
    { usage: 'stt_seconds', provider: 'deepgram' },
    { usage: 'llm_tokens', provider: 'openai' },
  ]);
});

test('what was measured stays when the transcript and the analysis are deleted', () => {
  const before = { 'latency/25': 2, 'tts_characters/local': 80 };
  expect(measureCall({ turns: null, fields: {}, before })).toEqual(before);
  expect(measureCall({ turns: [], fields: { tts_characters: 90 }, before })).toEqual({
    'tts_characters/': 90,
  });
});

test('quantities that cannot be added up are left out, and names of providers are bounded', () => {
  const fields = {
    stt_seconds: 'many',
    llm_tokens: -4,
    tts_characters: 0,
    carrier_seconds: 1e300,
    carrier: 'x'.repeat(99),
  };
  expect(readUsage(fields)).toEqual({ [`carrier_seconds/${'x'.repeat(40)}`]: 1_000_000_000 });
  expect(readUsage({ llm_tokens: null, stt_seconds: true })).toEqual({});
  expect(parseMeasure('unknown/x')).toBeUndefined();
});

test('a difference has what was added, changed and lost', () => {
  expect(subtractAmounts({ a: 2, b: 3, c: 1 }, { a: 2, b: 5, d: 4 })).toEqual({ b: -2, c: 1, d: -4 });
});
