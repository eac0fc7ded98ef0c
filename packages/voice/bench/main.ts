import { loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { LocalSpeech, type ParleyLineOptions } from '@parley/voice';
import { exampleCall } from '../../worker/src/example-call';
import type { Figures } from '../src/conversation/contract';
import type { Audio } from '../src/audio/audio';
import type { Synthesizer } from '../src/speech/speech';
import { conductCalls } from '../test/support/many-calls';
import { Phones } from '../test/support/phone';
import { startVoiceServer } from '../test/support/voice-server';
import {
  falseInterruptions,
  gapsAtPhone,
  interruptionMs,
  percentile,
  type Talk,
  wordErrors,
} from './figures';
import { measureOwnCode } from './own-code';
import { LINES, scenarios, type Scenario } from './scenarios';

/** Holds conversations over parley-line, and prints the figures beside their bounds. README.md says how it is started. */

const { values: options } = parseArgs({
  options: { short: { type: 'boolean' }, only: { type: 'string' }, kind: { type: 'string', multiple: true } },
});
const SHORT = options.short ?? false;
const PARTS = ['conversations', 'own-code', 'loads', 'carriers'];
const isWanted = (part: string) => options.only === undefined || options.only === part;
const CARRIERS = ['twilio', 'twilio that speaks', 'telnyx', 'asterisk'] as const;
const CALLS_OF_CARRIER = SHORT ? 10 : 200;
const CONVERSATIONS = SHORT ? 12 : 100;
const AT_ONCE = 2;
const OWN_TURNS = SHORT ? 3 : 100;
const LOADS = SHORT ? [1, 2] : [1, 2, 4, 8, 12, 16];
/** The smallest number of conversations of a load. */
const CALLS_OF_LOAD = SHORT ? 1 : 4;
const LONG_GREETING =
  'Let me tell you about our house by the river, which is open every day of the week. '.repeat(3);
const GREETING = 'Hello, how can I help you?';

/** Speaks from memory and hears nothing, so that the persons cost the machine little. */
function cheapPersons(synthesizer: Synthesizer): ParleyLineOptions['speech'] {
  const known = new Map<string, Promise<Audio[]>>();
  return {
    recognizer: {
      provider: 'none',
      open: () => ({
        ...{ seconds: 0, write: () => undefined, next: () => undefined, close: () => undefined },
        text: () => Promise.resolve(''),
      }),
    },
    synthesizer: {
      provider: synthesizer.provider,
      async *speak(text, settings, signal) {
        const key = `${settings.voice} ${text}`;
        const found = known.get(key) ?? collected(synthesizer.speak(text, settings, signal));
        known.set(key, found);
        yield* await found;
      },
    },
  };
}

async function collected<T>(parts: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

async function converse(phones: Phones, { kind, script }: Scenario): Promise<Talk> {
  let figures: Figures | undefined;
  const base = exampleCall().agent;
  const isMachine = kind === 'voicemail';
  const call = await phones.call(
    script,
    {
      start: {
        greeting: kind === 'interruption' ? LONG_GREETING : GREETING,
        agent: {
          voicemailConfig: { isEnabled: isMachine, message: isMachine ? 'Please call us back.' : null },
          voiceConfig: { ...base.voiceConfig, voiceId: 'slt', patienceLevel: 2 },
        },
      },
    },
    { metrics: { count: (_, counted) => void (figures = counted) } },
  );
  for (const problem of call.problems) console.error(`${kind}: ${problem}`);
  return { kind, call, timings: figures?.timings ?? [] };
}

/** Holds all conversations, `atOnce` at the same time. */
async function hold(phones: Phones, all: Scenario[], atOnce: number): Promise<Talk[]> {
  const waiting = [...all];
  const talks: Talk[] = [];
  const next = async (): Promise<void> => {
    for (let scenario = waiting.shift(); scenario; scenario = waiting.shift())
      talks.push(await converse(phones, scenario));
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  return talks;
}

const row = (...cells: (string | number)[]) => console.log(`| ${cells.join(' | ')} |`);
const spread = (values: number[]) => `${percentile(values, 0.5)} / ${percentile(values, 0.95)}`;

function printConversations(talks: Talk[]): void {
  const spoken = talks.filter(({ kind }) => ['talk', 'noise', 'long talk'].includes(kind));
  const timings = spoken.flatMap((talk) => talk.timings);
  const stage = (name: 'endOfTurn' | 'answer' | 'synthesis' | 'gap') =>
    spread(timings.map((timing) => timing[name]));
  const interrupted = talks.filter(({ kind }) => kind === 'interruption').map(interruptionMs);
  const stopped = interrupted.filter((ms) => ms !== undefined);
  const falseOnes = talks.reduce((sum, talk) => sum + falseInterruptions(talk), 0);
  const rate = (kind: Talk['kind']) => {
    const errors = talks.filter((talk) => talk.kind === kind).map(wordErrors);
    const sum = (of: 'errors' | 'words') => errors.reduce((total, counted) => total + counted[of], 0);
    return `${((100 * sum('errors')) / sum('words')).toFixed(1)} %`;
  };
  row('figure', 'measured', 'bound');
  row('---', '---', '---');
  row('turn gap at the phone, ms, p50 / p95', spread(spoken.flatMap(gapsAtPhone)), '900 / 1,500');
  row('turn gap in the runtime, ms, p50 / p95', stage('gap'), '900 / 1,500');
  row('… end of the turn and its text', stage('endOfTurn'), '');
  row('… first sentence of the answer', stage('answer'), '');
  row('… first audio of the sentence', stage('synthesis'), '');
  row('interruption, ms beyond the fields, p50 / p95', spread(stopped), '300');
  row('missed interruptions', `${interrupted.length - stopped.length} of ${interrupted.length}`, '');
  row('false interruptions', `${falseOnes} in ${talks.length} calls`, '');
  row('word error rate, μ-law', rate('talk'), '');
  row('word error rate, μ-law and noise', rate('noise'), '');
  row('word error rate, long talk', rate('long talk'), '');
  const ends = new Map<string, number>();
  for (const { kind, call } of talks) {
    const name = `${kind}: ${String(call.end.reason)}`;
    ends.set(name, (ends.get(name) ?? 0) + 1);
  }
  console.log([...ends].map(([name, count]) => `${name} ${count}`).join(', '));
}

async function printOwnCode(): Promise<void> {
  const server = await startVoiceServer();
  const { turnMs, clearMs } = await measureOwnCode(server, OWN_TURNS);
  await server.close();
  row('code between stand-ins without delay', 'measured', 'bound');
  row('---', '---', '---');
  row('a turn, ms beyond the fields, p50 / p95', spread(turnMs), '20');
  row('`clear` at the client after a typed word, ms, p50 / p95', spread(clearMs), '50');
}

async function printLoads(phones: Phones): Promise<void> {
  row('calls at once', 'turns', 'p50 ms', 'p95 ms', 'cores', 'MB');
  row('---', '---', '---', '---', '---', '---');
  for (const calls of LOADS) {
    const cpu = process.cpuUsage();
    const from = performance.now();
    const all = Array.from({ length: Math.max(calls, CALLS_OF_LOAD) }, (): Scenario => ({
      kind: 'talk',
      script: { otherwise: LINES },
    }));
    const gaps = (await hold(phones, all, calls)).flatMap(({ timings }) => timings.map(({ gap }) => gap));
    const { user, system } = process.cpuUsage(cpu);
    const cores = (user + system) / 1_000 / (performance.now() - from);
    const megabytes = Math.round(process.memoryUsage().rss / 1e6);
    row(calls, gaps.length, percentile(gaps, 0.5), percentile(gaps, 0.95), cores.toFixed(2), megabytes);
  }
}

async function printCarriers(): Promise<void> {
  row(
    'carrier',
    'calls at once',
    'placed, s',
    'answer, ms, p50 / p95',
    'late calls',
    'cores',
    'MB',
    'problems',
  );
  row('---', '---', '---', '---', '---', '---', '---', '---');
  for (const name of CARRIERS) {
    const { ended, problems, ...counted } = await conductCalls(name, CALLS_OF_CARRIER);
    const { atOnce, placedSeconds, answerMs, late, cores, megabytes } = counted;
    // A carrier that hears and speaks sends no audio.
    const [answer, lateCalls] = answerMs.length > 0 ? [spread(answerMs), late] : ['–', '–'];
    const failed = ended.filter(({ end }) => end.reason !== 'user_hangup').length + problems.length;
    row(name, atOnce, placedSeconds.toFixed(1), answer, lateCalls, cores.toFixed(2), megabytes, failed);
  }
}

/** @throws if the kind is not known */
function chooseScenarios(): Scenario[] {
  const all = scenarios(CONVERSATIONS);
  const { kind: kinds } = options;
  const unknown = kinds?.find((name) => !all.some(({ kind }) => kind === name));
  if (unknown) throw new Error(`There is no scenario of the kind ${unknown}.`);
  return kinds ? all.filter(({ kind }) => kinds.includes(kind)) : all;
}

async function main(): Promise<void> {
  if (options.only !== undefined && !PARTS.includes(options.only))
    throw new Error(`--only must be one of ${PARTS.join(', ')}`);
  const load = () => loadavg().map((value) => value.toFixed(1));
  console.log(`Load average: ${load().join(', ')}`);
  if (isWanted('carriers')) await printCarriers();
  if (options.only === 'carriers') return;
  const idle = process.memoryUsage().rss;
  const speech = new LocalSpeech();
  const from = performance.now();
  await speech.warm();
  const loaded = process.memoryUsage().rss;
  console.log(
    `Ready after ${Math.round(performance.now() - from)} ms; ${Math.round(idle / 1e6)} MB before, ${Math.round(loaded / 1e6)} MB after.`,
  );
  const phones = await Phones.start(speech, cheapPersons(speech.synthesizer));
  if (isWanted('conversations')) printConversations(await hold(phones, chooseScenarios(), AT_ONCE));
  if (isWanted('own-code')) await printOwnCode();
  if (isWanted('loads')) await printLoads(phones);
  console.log(`Load average: ${load().join(', ')}`);
  await phones.close();
}

void main();
