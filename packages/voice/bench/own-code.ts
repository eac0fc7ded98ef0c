import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { VoiceRuntimeParts } from '@parley/voice';
import { WebSocket } from 'ws';
import { exampleCall } from '../../worker/src/example-call';
import { encodeMulaw } from '../src/audio/mulaw';
import { MULAW } from '../test/support/caller';
import type { VoiceServer } from '../test/support/voice-server';

/** The silence that ends a turn, with patience 1 of the agent. */
const WAIT_MS = 200;
const FRAME = 160;
const LOUD = encodeMulaw(Int16Array.from({ length: FRAME }, (_, index) => 8_000 * Math.sin(index * index)));
const SILENT = new Uint8Array(FRAME).fill(0xff);

/** Recognition and synthesis that take no time. */
const speech: VoiceRuntimeParts['speech'] = {
  warm: () => Promise.resolve(),
  recognizer: {
    provider: 'stand-in',
    open: () => ({
      ...{ seconds: 0, write: () => undefined, next: () => undefined, close: () => undefined },
      text: () => Promise.resolve('A table for two'),
    }),
  },
  synthesizer: {
    provider: 'stand-in',
    async *speak() {
      yield await Promise.resolve({ samples: new Int16Array(2_400).fill(8_000), sampleRate: 8_000 });
    },
  },
};

interface Frame {
  event: string;
  state?: string;
  turn_gap_ms?: number;
}

/** A client at the pace of speech, which notes when frames come. */
class Person {
  private voiceFrames = 0;
  private readonly waiting = new Map<string, (frame: Frame) => void>();
  private readonly timer: NodeJS.Timeout;
  private readonly from = performance.now();
  private sent = 0;

  constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as Frame;
      const name = frame.state ?? frame.event;
      this.waiting.get(name)?.(frame);
      this.waiting.delete(name);
    });
    this.timer = setInterval(() => {
      for (; this.sent < (performance.now() - this.from) / 20; this.sent++) {
        const bytes = this.voiceFrames-- > 0 ? LOUD : SILENT;
        this.send({ event: 'media', media: { payload: Buffer.from(bytes).toString('base64') } });
      }
    }, 10);
  }

  speak(ms: number): void {
    this.voiceFrames = ms / 20;
  }

  send(frame: object): void {
    this.socket.send(JSON.stringify(frame));
  }

  /** Resolves with the next frame of an event, or the next state, of this name. */
  next(name: string): Promise<Frame> {
    return new Promise((resolve) => this.waiting.set(name, resolve));
  }

  hangUp(): void {
    clearInterval(this.timer);
    this.send({ event: 'stop' });
  }
}

export interface OwnTimes {
  /** The gap of each turn, beyond what the agent's fields ask for. */
  turnMs: number[];
  /** The time from a word that was typed while the agent speaks to `clear`, at the client. */
  clearMs: number[];
}

/** Measures what the code between stand-ins takes: turns, and the stop of the agent's audio. */
export async function measureOwnCode(server: VoiceServer, turns: number): Promise<OwnTimes> {
  const times: OwnTimes = { turnMs: [], clearMs: [] };
  const { voiceConfig, sttConfig } = exampleCall().agent;
  const agent = {
    voiceConfig: { ...voiceConfig, patienceLevel: 1 },
    sttConfig: { ...sttConfig, waitseconds: 0, on_punctuation_second: 0 },
  };
  await server.talk(
    { start: { greeting: 'Hello.', agent } },
    async (url) => {
      const socket = new WebSocket(url);
      await once(socket, 'open');
      socket.send(JSON.stringify({ event: 'start', mediaFormat: MULAW }));
      const person = new Person(socket);
      await person.next('listening');
      for (let turn = 0; turn < turns; turn++) {
        const answered = person.next('metrics');
        person.speak(400);
        times.turnMs.push(((await answered).turn_gap_ms ?? NaN) - WAIT_MS);
        await pause(100);
        const [cleared, silent] = [person.next('clear'), person.next('listening')];
        const typedAt = performance.now();
        person.send({ event: 'text', text: 'And a chair' });
        await cleared;
        times.clearMs.push(performance.now() - typedAt);
        await silent;
      }
      person.hangUp();
      await once(socket, 'close');
    },
    { speech },
  );
  return times;
}
