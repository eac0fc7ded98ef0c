import { Registry } from 'prom-client';
import { VoiceMetrics } from './voice-metrics';

test('the figures of a call are counted with its turns and their parts', async () => {
  const registry = new Registry();
  const metrics = new VoiceMetrics(registry);
  const timings = [{ endOfTurn: 320, answer: 0, synthesis: 60, gap: 400 }];
  const figures = { turns: 1, interruptions: 2, timings, synthesizedCharacters: 30, recognizedSeconds: 2.5 };
  metrics.count('user_hangup', figures, 17);
  metrics.count('user_hangup', { ...figures, timings: [] }, 0);
  const text = await registry.metrics();
  expect(text).toContain('voice_calls_total{reason="user_hangup"} 2');
  expect(text).toContain('voice_turn_gap_seconds_bucket{le="0.3"} 0');
  expect(text).toContain('voice_turn_gap_seconds_bucket{le="0.4"} 1');
  expect(text).toContain('voice_turn_stage_seconds_sum{stage="end_of_turn"} 0.32');
  expect(text).toContain('voice_interruptions_total 4');
  expect(text).toContain('voice_stt_seconds_total 5');
  expect(text).toContain('voice_llm_tokens_total 17');
});
