import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Person } from './stand-ins/phone/handset';
import { ElevenLabsStandIn } from './stand-ins/elevenlabs/elevenlabs-stand-in';
import { TelnyxStandIn } from './stand-ins/telnyx/telnyx-stand-in';
import { describeAccount, findWebhook } from './support/carriers';

// All calls of a carrier follow one another, and people need time.
jest.setTimeout(600_000);

const ROOT = join(__dirname, '..', '..', '..');
/** The steps of `npm test` that tests of a service need, as it does them. */
const RUN = `
  import { runJest, summary } from './test/run/jest-run.mjs';
  import { handleSignals, shutDown } from './launch/process/shutdown.mjs';
  import { cleanEnvironment } from './test/run/test-run.mjs';
  handleSignals();
  const [folder, ...args] = process.argv.slice(1);
  const outcome = await runJest(folder, args, cleanEnvironment(folder));
  console.log(summary(outcome));
  await shutDown(outcome.code);
`;
const [PERSON, BUSY, OTHER, OWN] = ['+15552000001', '+15552000002', '+15559998888', '+15550100000'];

/** A person who reads what to do, and does it. */
function readPerson(words: string): Person {
  if (words === 'do not answer') return { ringMs: 50_000 };
  if (words === 'this phone is for "busy"') return { phone: 'busy' };
  const [, digits] = /press (\d)/.exec(words) ?? [];
  return {
    // A caller hears the greeting first.
    ...(words.includes('say something') && {
      talks: [{ afterMs: words.startsWith('call it') ? 1_200 : 200, forMs: 300 }],
    }),
    ...(words.includes('talk over the agent') && { interrupts: { afterMs: 1_000, forMs: 600 } }),
    ...(digits !== undefined && { presses: { afterMs: 1_900, digits } }),
    ...(words.includes('let the other phone be in a call') && { transfer: 'busy' as const }),
    ...(words.includes('talk to the other phone') && { connectedMs: 1_200 }),
    ...(words.includes('hang up') && { hangsUpAfterMs: 3_600 }),
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

let child: ChildProcess | undefined;
afterEach(() => child?.kill());

/** The numbers of an account of the developer are no numbers of the stand-in. */
const withoutLiveSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('VOICE_LIVE_')));

/** Runs tests with services of the settings, and notes the lines that they print. */
async function runLive(tests: string[], settings: NodeJS.ProcessEnv, read: (line: string) => void) {
  const folder = await mkdtemp(join(tmpdir(), 'live-'));
  const run = spawn(process.execPath, ['--input-type=module', '-e', RUN, folder, ...tests], {
    // The tests of services are not in slow files.
    ...{ cwd: ROOT, env: { ...withoutLiveSettings(process.env), ...settings, TEST_SLOW: '' } },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = run;
  const lines: string[] = [];
  run.stderr.on('data', (data: Buffer) => void lines.push(data.toString()));
  createInterface({ input: run.stdout }).on('line', (line) => {
    lines.push(line);
    read(line);
  });
  const [code] = (await once(run, 'exit')) as [number];
  await rm(folder, { recursive: true });
  return { code, lines };
}

test('with VOICE_LIVE_TESTS, the calls are placed with the account of the settings, and the people are told what to do', async () => {
  const telnyx = await TelnyxStandIn.listen();
  const port = await findFreePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  telnyx.webhookUrl = findWebhook(telnyx, publicUrl);
  telnyx.waitsForPeople = true;
  const tests = ['live-carriers', '--testNamePattern', 'telnyx itself', '--verbose', '--expand'];
  const settings = {
    ...describeAccount(telnyx),
    ...{ VOICE_LIVE_TESTS: 'telnyx', VOICE_PORT: String(port), VOICE_PUBLIC_URL: publicUrl },
    ...{ VOICE_LIVE_NUMBER: PERSON, VOICE_LIVE_BUSY_NUMBER: BUSY, VOICE_LIVE_TRANSFER_NUMBER: OTHER },
    VOICE_LIVE_INCOMING_NUMBER: OWN,
  };
  const failures: unknown[] = [];
  const { code, lines } = await runLive(tests, settings, (line) => {
    const [, number, words] = /(\+\d+): (.+)$/.exec(line) ?? [];
    if (number === undefined || words === undefined) return;
    const person = readPerson(words);
    if (number !== OWN) return telnyx.expect(number, person);
    telnyx.ringIn({ to: OWN, from: PERSON, person }).catch((error: unknown) => failures.push(error));
  });
  await telnyx.close();
  expect({ code, failures, lines: code === 0 ? [] : lines }).toEqual({ code: 0, failures: [], lines: [] });
  expect(lines.at(-1)).toMatch(/^27 passed, 0 failed, \d+ skipped$/);
  for (const kind of ['VOICEMAIL', 'DECLINING', 'NO_ANSWER', 'UNKNOWN', 'FAILING'])
    expect(lines.join('\n')).toContain(`(needs VOICE_LIVE_${kind}_NUMBER)`);
  expect(telnyx.calls.length).toBeGreaterThan(12);
  // After a call, Telnyx is asked what became of it.
  expect(telnyx.asked).toBeGreaterThan(12);
  // When the last call ends, the runtime of the tests may be gone.
  expect(telnyx.calls.slice(0, -1).flatMap(({ complaints }) => complaints)).toEqual([]);
});

test('the voice of the account is one of the live tests only', async () => {
  const elevenLabs = await ElevenLabsStandIn.listen();
  elevenLabs.voices.clear();
  elevenLabs.voices.add('voice-of-the-account');
  const settings = {
    ...{ VOICE_LIVE_TESTS: 'elevenlabs', ELEVENLABS_VOICE: 'voice-of-the-account' },
    ...{ ELEVENLABS_BASE_URL: elevenLabs.baseUrl, ELEVENLABS_API_KEY: elevenLabs.apiKey },
  };
  const { code, lines } = await runLive(['packages/voice/test/elevenlabs'], settings, () => undefined);
  elevenLabs.close();
  expect({ code, lines: code === 0 ? [] : lines }).toEqual({ code: 0, lines: [] });
  const paths = new Set(elevenLabs.requests.map(({ path }) => path));
  expect(paths).toEqual(new Set(['/v1/text-to-speech/voice-of-the-account/stream']));
});
