import { latencyText } from '../ui/moment';
import { figureFacts, isPerformance, measureLatency, usageFacts } from './call-performance';

const withLatencies = (...latencies: (number | null)[]) => latencies.map((latency_ms) => ({ latency_ms }));

test('the latency of a call is that of its answers, and unknown without any', () => {
  expect(measureLatency(withLatencies(null, 900, null, 2_400, 1_100))).toEqual({
    answers: 3,
    p50: 1_100,
    p95: 2_400,
    slowest: 2_400,
  });
  expect(measureLatency(withLatencies(null, null))).toBeUndefined();
  expect(latencyText(1_149)).toBe('1.1 s');
});

test('usage is named with its provider, and what was not used is left out', () => {
  const analysis = {
    stt_seconds: 75,
    stt_provider: 'deepgram',
    tts_characters: 1_200,
    llm_tokens: 0,
    mood: 'good',
  };
  expect(usageFacts(analysis)).toEqual([
    { name: 'Speech recognized (Deepgram)', value: '1:15' },
    { name: 'Characters spoken', value: '1,200' },
  ]);
  expect(Object.entries(analysis).filter((entry) => !isPerformance(entry))).toEqual([['mood', 'good']]);
});

test('the latency that a runtime reports is shown where the turns have none', () => {
  const analysis = { turn_gap_ms_p50: 850, interruptions: 2 };
  expect(figureFacts(analysis, false).map(({ value }) => value)).toEqual(['0.8 s', '2']);
  expect(figureFacts(analysis, true).map(({ value }) => value)).toEqual(['2']);
});
