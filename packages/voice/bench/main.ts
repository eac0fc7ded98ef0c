import { performance } from 'node:perf_hooks';
import type { Audio, Synthesizer } from '../src/speech/speech';
import { until } from '../../../test/support/until';
import { Caller } from '../test/support/caller';
import { startVoiceServer, type VoiceServer } from '../test/support/voice-server';

/** Measures conversations through μ-law at the pace of speech. README.md says how it is started. */

const LINES = ['I would like to book a table for two.', 'Tomorrow evening, please.', 'By the window.'];
const PATIENCE = 60_000;
const LOADS = [1, 2, 4, 8];

const percentile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? NaN;

/** Speaks from memory, so that the persons cost the machine little. */
function remembering(synthesizer: Synthesizer): Synthesizer {
  const known = new Map<string, Audio[]>();
  return {
    provider: synthesizer.provider,
    async *speak(text, settings, signal) {
      const key = `${settings.voice} ${text}`;
      const found = known.get(key) ?? (await collected(synthesizer.speak(text, settings, signal)));
      known.set(key, found);
      yield* found;
    },
  };
}

async function collected<T>(parts: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

async function converse(
  server: VoiceServer,
  synthesizer: Synthesizer,
): Promise<{ gaps: number[]; misses: number }> {
  const gaps: number[] = [];
  let misses = 0;
  await server.talk({ start: { greeting: 'Hello, how can I help?' } }, async (url) => {
    const caller = await Caller.connect(url, { recognizer: server.speech.recognizer, synthesizer });
    await caller.start();
    for (const [index, line] of LINES.entries()) {
      await until(() => caller.finals('agent').length > index && caller.state === 'listening', PATIENCE);
      await caller.say(line);
      await until(() => caller.finals('agent').length > index + 1 || caller.closed, PATIENCE);
    }
    gaps.push(...caller.frames.flatMap(({ turn_gap_ms: gap }) => (gap === undefined ? [] : [gap])));
    if (caller.finals('user').length !== LINES.length) misses++;
    caller.send({ event: 'stop' });
    await until(() => caller.closed, PATIENCE);
  });
  return { gaps, misses };
}

async function main(): Promise<void> {
  const server = await startVoiceServer();
  const idle = process.memoryUsage().rss;
  const startedAt = performance.now();
  await server.speech.warm();
  const warmMs = performance.now() - startedAt;
  const synthesizer = remembering(server.speech.synthesizer);
  const { signal } = new AbortController();
  for (const line of LINES) await collected(synthesizer.speak(line, { voice: 'rms', speed: 1 }, signal));
  console.log(
    `Ready after ${Math.round(warmMs)} ms; ${Math.round(idle / 1e6)} MB before, ${Math.round(process.memoryUsage().rss / 1e6)} MB after.`,
  );
  console.log('calls at once | turns | p50 ms | p95 ms | cores | MB | calls with other turns');
  for (const calls of LOADS) {
    const cpu = process.cpuUsage();
    const from = performance.now();
    const results = await Promise.all(Array.from({ length: calls }, () => converse(server, synthesizer)));
    const { user, system } = process.cpuUsage(cpu);
    const gaps = results.flatMap((result) => result.gaps);
    const cores = (user + system) / 1_000 / (performance.now() - from);
    const misses = results.reduce((sum, result) => sum + result.misses, 0);
    console.log(
      [calls, gaps.length, percentile(gaps, 0.5), percentile(gaps, 0.95), cores.toFixed(2)].join(' | '),
      `| ${Math.round(process.memoryUsage().rss / 1e6)} | ${misses}`,
    );
  }
  await server.close();
}

void main();
