import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AsteriskStandIn } from '../../packages/voice/test/stand-ins/asterisk/asterisk-stand-in';
import { DeepgramStandIn } from '../../packages/voice/test/stand-ins/deepgram/deepgram-stand-in';
import { ElevenLabsStandIn } from '../../packages/voice/test/stand-ins/elevenlabs/elevenlabs-stand-in';
import { TelnyxStandIn } from '../../packages/voice/test/stand-ins/telnyx/telnyx-stand-in';
import { TwilioStandIn } from '../../packages/voice/test/stand-ins/twilio/twilio-stand-in';
import { TestParley } from '../support/parley';
import { TcpProxy } from '../support/tcp-proxy';
import { until } from '../support/until';

type Settings = Record<string, string>;

const carriers = {
  twilio: async () => {
    const standIn = await TwilioStandIn.listen();
    const { apiUrl: TWILIO_API_URL, accountSid, authToken, number } = standIn;
    const settings: Settings = { TWILIO_API_URL, TWILIO_NUMBER: number };
    return {
      standIn,
      settings: { ...settings, TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken },
    };
  },
  telnyx: async () => {
    const standIn = await TelnyxStandIn.listen();
    const { apiUrl: TELNYX_API_URL, apiKey, publicKey, connectionId, number } = standIn;
    const settings: Settings = { TELNYX_API_URL, TELNYX_NUMBER: number, TELNYX_API_KEY: apiKey };
    return {
      standIn,
      settings: { ...settings, TELNYX_PUBLIC_KEY: publicKey, TELNYX_CONNECTION_ID: connectionId },
    };
  },
  asterisk: async () => {
    const standIn = await AsteriskStandIn.listen();
    const { apiUrl, username, password, number } = standIn;
    const settings: Settings = { ASTERISK_URL: apiUrl, ASTERISK_NUMBER: number };
    return {
      standIn,
      settings: {
        ...{ ...settings, ASTERISK_USERNAME: username, ASTERISK_PASSWORD: password },
        ASTERISK_ENDPOINT: 'PJSIP/{number}@trunk',
      },
    };
  },
};

/** The path of the connection for audio, in the configuration that the guide for Asterisk shows. */
function readMediaPath(): string {
  const guide = readFileSync(join(__dirname, '../../docs/carriers/asterisk.md'), 'utf8');
  const [, uri = ''] = /^ *uri = (\S+)$/m.exec(guide) ?? [];
  return new URL(uri).pathname;
}

/** The commands of a guide, with the settings of the reader, and without the start of the server. */
function readCommands(name: string, settings: Settings): string {
  const guide = readFileSync(join(__dirname, '../../docs/carriers', `${name}.md`), 'utf8');
  const blocks = [...guide.matchAll(/^ {3,4}```sh\n([^]*?)^ {3,4}```$/gm)].map(([, block = '']) => block);
  expect(blocks.length).toBeGreaterThanOrEqual(8);
  expect(blocks.filter((block) => block.trim() === `VOICE_CARRIER=${name} npm start`)).toHaveLength(1);
  const commands = blocks.filter((block) => !block.includes('npm start')).join('\n');
  return commands.replaceAll(/^ *export (\w+)=(?!")(.*)$/gm, (_, setting: string, example: string) => {
    const value = settings[setting];
    if (value === undefined)
      throw new Error(`The guide exports ${setting}=${example}, which the test does not know`);
    return `export ${setting}='${value}'`;
  });
}

// A bare machine has none, and the test is skipped there.
const hasCurl = spawnSync('curl', ['--version']).status === 0;

(hasCurl ? test : test.skip).each(['twilio', 'telnyx', 'asterisk'] as const)(
  'the commands of the guide for %s lead from an account to a ringing phone, and to an agent that answers',
  async (name) => {
    const { standIn, settings } = await carriers[name]();
    const [deepgram, elevenlabs] = [await DeepgramStandIn.listen(), await ElevenLabsStandIn.listen()];
    // The address that the internet has for a machine is known before the server starts.
    const proxy = await TcpProxy.to('http://127.0.0.1:9');
    const env: Settings = {
      ...{ ...settings, PUBLIC_URL: proxy.url.replace(/\/$/, ''), YOUR_NUMBER: '+15551234567' },
      ...{ DEEPGRAM_API_KEY: deepgram.apiKey, ELEVENLABS_API_KEY: elevenlabs.apiKey },
    };
    const parley = await TestParley.start({
      ...{ ...env, ROLES: 'http,background,runtime', VOICE_CARRIER: name },
      ...{ DEEPGRAM_BASE_URL: deepgram.baseUrl, ELEVENLABS_BASE_URL: elevenlabs.baseUrl },
    });
    try {
      proxy.aimAt(parley.url);
      if (name === 'asterisk')
        standIn.webhookUrl = `${proxy.url.replace('http', 'ws').replace(/\/$/, '')}${readMediaPath()}`;
      const workspace = await parley.workspace();
      standIn.expect('+15551234567', { hangsUpAfterMs: 2_500 });
      const script = `set -euo pipefail\n${readCommands(name, env)}`;
      const { stdout } = await promisify(execFile)('bash', ['-c', script], {
        env: { PATH: process.env.PATH, API_KEY: workspace.apiKey, ...settings },
      });
      expect(stdout).toContain('"status"');
      const call = await until(() => standIn.calls.find(({ to }) => to === '+15551234567'));
      await until(() => call.isOver);
      expect(call).toMatchObject({ endedBy: 'person', complaints: [], from: standIn.number });
      expect(call.handset?.heardSound).toBe(true);

      const incoming = await standIn.ringIn({
        ...{ to: standIn.number, from: '+15557654321', person: { hangsUpAfterMs: 1_500 } },
      });
      await until(() => incoming.isOver);
      expect(incoming).toMatchObject({ endedBy: 'person', complaints: [] });
      expect(incoming.handset?.heardSound).toBe(true);
      const ended = await until(async () => {
        const { body } = await workspace.api.get('/api/calls');
        const calls = body.data as { status: string; direction: string; disconnect_reason: string }[];
        return calls.length === 2 && calls.every(({ status }) => status === 'disconnected') && calls;
      });
      expect(ended.map(({ disconnect_reason }) => disconnect_reason)).toEqual(['user_hangup', 'user_hangup']);
    } finally {
      await parley.stop();
      await proxy.cut();
      await standIn.close();
      deepgram.close();
      elevenlabs.close();
    }
  },
);
