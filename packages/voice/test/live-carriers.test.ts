import { once } from 'node:events';
import { createServer } from 'node:http';
import { BrowserDoor, createCarrier, readCarrier, voiceHandler } from '@parley/voice';
import { fakeServer } from '@parley/worker/testing';
import { instantSpeech } from './support/instant-speech';
import { isLive, liveSetting } from './support/live';

jest.setTimeout(180_000);

const logger = {
  warn: (sentence: string) => console.warn(sentence),
  error: (sentence: string) => console.error(sentence),
};

/** The carrier of an account, at the address of this machine that the settings name. */
async function connect(name: string) {
  const settings = readCarrier({ ...process.env, VOICE_CARRIER: name });
  if (!settings) throw new Error(`${name} is no carrier`);
  const publicUrl = liveSetting('VOICE_PUBLIC_URL').replace(/^http/, 'ws');
  const parts = { publicUrl, processPath: '', speech: instantSpeech(), logger };
  const { carrier, close } = await createCarrier(settings, parts);
  const server = createServer((request, response) => {
    if (!carrier.handle(request, response)) response.writeHead(404).end();
  });
  server.on('upgrade', (request, socket, head: Buffer) => {
    if (!carrier.upgrade(request, socket, head)) socket.destroy();
  });
  server.listen(Number(process.env.VOICE_PORT ?? 3010), process.env.VOICE_HOST ?? '127.0.0.1');
  await once(server, 'listening');
  const handler = voiceHandler({
    ...{ door: new BrowserDoor(), speech: instantSpeech(), publicUrl, models: new Map() },
    ...{ carrier, logger },
  });
  return {
    call: (to_number: string) =>
      fakeServer().offer(handler, {
        hangUpAfterMs: 60_000,
        start: {
          call_type: 'phonecall',
          from_number: '',
          to_number,
          greeting: 'This is a test. Please hang up.',
        },
      }),
    close: async () => {
      await close();
      server.closeAllConnections();
      server.close();
    },
  };
}

for (const name of ['twilio', 'telnyx', 'asterisk']) {
  const live = isLive(name) ? test : test.skip;

  live(`${name} itself calls a phone, where a person answers and hangs up`, async () => {
    const carrier = await connect(name);
    const call = await carrier.call(liveSetting('VOICE_LIVE_NUMBER'));
    await carrier.close();
    expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'user_hangup' });
    expect(call.turns.map(({ text }) => text)).toContain('This is a test. Please hang up.');
  });

  live(`${name} itself knows a number that does not exist`, async () => {
    const carrier = await connect(name);
    const call = await carrier.call('+10000000');
    await carrier.close();
    expect(call.end).toMatchObject({ type: 'call.failed.v1', reason: 'invalid_destination' });
  });
}
