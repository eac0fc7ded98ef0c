import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DeepgramStandIn } from '../../packages/voice/test/stand-ins/deepgram/deepgram-stand-in';
import { ElevenLabsStandIn } from '../../packages/voice/test/stand-ins/elevenlabs/elevenlabs-stand-in';
import type { PhoneCallRecord } from '../../packages/voice/test/stand-ins/phone/phone-stand-in';
import { describeAccount, listenAs } from '../../packages/voice/test/support/carriers';
import { TestParley } from '../support/parley';
import { TcpProxy } from '../support/tcp-proxy';
import { until } from '../support/until';

const ROOT = join(__dirname, '..', '..');

type Settings = Record<string, string>;

/** The carriers of the guides. */
const carriers = {
  twilio: 'twilio',
  'conversation-relay': 'twilio that speaks',
  telnyx: 'telnyx',
  asterisk: 'asterisk',
} as const;

/** The path of the connection for audio, in the configuration that the guide for Asterisk shows. */
function readMediaPath(): string {
  const guide = readFileSync(join(ROOT, 'docs/carriers/asterisk.md'), 'utf8');
  const [, uri = ''] = /^ *uri = (\S+)$/m.exec(guide) ?? [];
  return new URL(uri).pathname;
}

/** The settings with which a guide starts the server. */
const starts: Record<keyof typeof carriers, Settings> = {
  twilio: { VOICE_CARRIER: 'twilio' },
  'conversation-relay': { VOICE_CARRIER: 'twilio', VOICE_SPEECH: 'carrier' },
  telnyx: { VOICE_CARRIER: 'telnyx' },
  asterisk: { VOICE_CARRIER: 'asterisk' },
};

const MOST_COMMANDS = 10;

/** The command line of Asterisk, which knows how to reload the configuration and nothing else. */
const RELOAD = `#!/bin/sh\n[ "$#" = 2 ] && [ "$1" = -rx ] && [ "$2" = 'core reload' ]\n`;

/** The commands of a guide, with the settings of the reader. The test has started the server. */
function readCommands(name: keyof typeof carriers, settings: Settings): string {
  const guide = readFileSync(join(ROOT, 'docs/carriers', `${name}.md`), 'utf8');
  const blocks = [...guide.matchAll(/^ {3,4}```sh\n([^]*?)^ {3,4}```$/gm)].map(([, block = '']) => block);
  const steps = [...guide.matchAll(/^(\d+)\. /gm)].map(([, step]) => Number(step));
  expect(steps).toEqual(blocks.map((_, index) => index + 1));
  expect(blocks.length).toBeLessThanOrEqual(MOST_COMMANDS);
  const given = Object.entries(starts[name]).map(([setting, value]) => `${setting}=${value}`);
  expect(blocks.filter((block) => block.trim() === `${given.join(' ')} npm start`)).toHaveLength(1);
  return blocks
    .filter((block) => !block.includes('npm start'))
    .map((block) => (block.trim().startsWith('export ') ? setValues(block, settings) : block))
    .join('\n')
    .replaceAll('https://api.twilio.com', settings.TWILIO_API_URL ?? '')
    .replaceAll('https://api.telnyx.com', settings.TELNYX_API_URL ?? '');
}

const setValues = (command: string, settings: Settings) =>
  command.replaceAll(/(\w+)=\S+/g, (example, setting: string) => {
    const value = settings[setting];
    if (value === undefined) throw new Error(`The guide exports ${example}, which the test does not set`);
    return `${setting}='${value}'`;
  });

/** At ConversationRelay, the stand-in speaks the words. */
const hasHeard = (call: PhoneCallRecord) =>
  call.handset?.heardSound === true || ('spoken' in call && (call.spoken as string[]).length > 0);

// A bare machine has none, and the test is skipped there.
const hasCurl = spawnSync('curl', ['--version']).status === 0;

(hasCurl ? test : test.skip).each(['twilio', 'conversation-relay', 'telnyx', 'asterisk'] as const)(
  'the commands of the guide for %s lead from an account to a ringing phone, and to an agent that answers',
  async (name) => {
    const standIn = await listenAs(carriers[name]);
    const settings = describeAccount(standIn);
    const [deepgram, elevenlabs] = [await DeepgramStandIn.listen(), await ElevenLabsStandIn.listen()];
    // The address that the internet has for a machine is known before the server starts.
    const proxy = await TcpProxy.to('http://127.0.0.1:9');
    const env: Settings = {
      ...{ ...settings, PUBLIC_URL: proxy.url.replace(/\/$/, ''), YOUR_NUMBER: '+15551234567' },
      ...{ DEEPGRAM_API_KEY: deepgram.apiKey, ELEVENLABS_API_KEY: elevenlabs.apiKey },
    };
    const parley = await TestParley.start({
      ...{ ...env, ROLES: 'http,background,runtime', ...starts[name] },
      ...{ DEEPGRAM_BASE_URL: deepgram.baseUrl, ELEVENLABS_BASE_URL: elevenlabs.baseUrl },
    });
    // The folder of the reader, a clone in which `npm start` has stored the key of the Demo workspace.
    const folder = mkdtempSync(join(tmpdir(), 'parley-guide-'));
    try {
      proxy.aimAt(parley.url);
      if (name === 'asterisk')
        standIn.webhookUrl = `${proxy.url.replace('http', 'ws').replace(/\/$/, '')}${readMediaPath()}`;
      const workspace = await parley.workspace();
      standIn.expect('+15551234567', { hangsUpAfterMs: 2_500 });
      symlinkSync(join(ROOT, 'launch'), join(folder, 'launch'));
      mkdirSync(join(folder, '.parley'));
      mkdirSync(join(folder, 'bin'));
      writeFileSync(join(folder, 'bin', 'asterisk'), RELOAD, { mode: 0o755 });
      writeFileSync(join(folder, '.parley', 'demo.json'), JSON.stringify({ apiKey: workspace.apiKey }));
      const script = `set -euo pipefail\n${readCommands(name, env)}`;
      const { stdout } = await promisify(execFile)('bash', ['-c', script], {
        env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
        cwd: folder,
      });
      expect(stdout).toContain('\ndisconnected: user_hangup, ');
      const call = await until(() => standIn.calls.find(({ to }) => to === '+15551234567'));
      await until(() => call.isOver);
      expect(call).toMatchObject({ endedBy: 'person', complaints: [], from: standIn.number });
      expect(hasHeard(call)).toBe(true);

      const incoming = await standIn.ringIn({
        ...{ to: standIn.number, from: '+15557654321', person: { hangsUpAfterMs: 1_500 } },
      });
      await until(() => incoming.isOver);
      expect(incoming).toMatchObject({ endedBy: 'person', complaints: [] });
      expect(hasHeard(incoming)).toBe(true);
      const ended = await until(async () => {
        const { body } = await workspace.api.get('/api/calls');
        const calls = body.data as { status: string; direction: string; disconnect_reason: string }[];
        return calls.length === 2 && calls.every(({ status }) => status === 'disconnected') && calls;
      });
      expect(ended.map(({ disconnect_reason }) => disconnect_reason)).toEqual(['user_hangup', 'user_hangup']);
    } finally {
      rmSync(folder, { recursive: true });
      await parley.stop();
      await proxy.cut();
      await standIn.close();
      deepgram.close();
      elevenlabs.close();
    }
  },
);
