import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { BrowserDoor, LocalSpeech, voiceHandler, type VoiceRuntimeParts } from '@parley/voice';
import type { Call } from '@parley/worker';
import { fakeServer, type OfferedCall, type OfferOptions } from '@parley/worker/testing';
import type { Clock } from '../../src/clock';
import { Caller, understand } from './caller';

/** The reports of a web call to the server. */
export interface TalkedCall extends OfferedCall {
  warnings: { code: string; text: string }[];
  recording?: Buffer;
  problems: string[];
}

export interface VoiceServer {
  readonly speech: LocalSpeech;
  /** Runs one web call; `person` gets the address to join. */
  talk(
    options: OfferOptions,
    person: (url: string) => Promise<void>,
    parts?: Partial<VoiceRuntimeParts>,
  ): Promise<TalkedCall>;
  join(url: string): Promise<Caller>;
  /** The words in audio of 8,000 Hz. */
  understand(samples: Int16Array): Promise<string>;
  close(): Promise<void>;
}

/** The voice runtime behind a real port, with real speech, and a server without RabbitMQ. */
export async function startVoiceServer(clock?: Clock): Promise<VoiceServer> {
  const speech = new LocalSpeech();
  const door = new BrowserDoor(clock);
  const server = createServer();
  server.on('upgrade', (request, socket, head) => {
    if (!door.upgrade(request, socket, head)) socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const publicUrl = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    speech,
    join: (url) => Caller.connect(url, speech),
    understand: (samples) => understand(samples, speech.recognizer),
    async talk(options, person, parts = {}) {
      const warnings: TalkedCall['warnings'] = [];
      const problems: string[] = [];
      let recording: Buffer | undefined;
      let talked: Promise<void> = Promise.resolve();
      const note = (sentence: string) => problems.push(sentence);
      const handler = voiceHandler({
        ...{ door, speech, publicUrl, models: new Map() },
        logger: { warn: note, error: note },
        ...parts,
      });
      const offered = await fakeServer().offer(
        (call) => {
          const webCall = withMembers(call, {
            joinable: (url: string) => {
              talked = person(url);
              talked.catch(() => undefined);
              return Promise.resolve();
            },
            warn: (code: string, text: string) => void warnings.push({ code, text }),
            record: async (stream: Readable) => {
              recording = Buffer.concat(await stream.toArray());
              return 'http://127.0.0.1/recording';
            },
          });
          return handler(webCall);
        },
        { ...options, start: { call_type: 'webcall', to_number: '', ...options.start } },
      );
      await talked;
      return { ...offered, warnings, recording, problems };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await speech.close();
    },
  };
}

/** A call with further members. Its own members keep their `this`. */
export function withMembers(call: Call, members: Record<string, unknown>): Call {
  return new Proxy(call, {
    get(target, name) {
      const value: unknown = name in members ? members[String(name)] : Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
