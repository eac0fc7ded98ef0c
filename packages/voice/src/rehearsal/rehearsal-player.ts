import type { RehearsalFacts, RehearsalOfCall } from '@parley/worker';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describeError } from '../errors';
import type { FromThread, ToThread } from './rehearsal-thread';
import type { Models, RehearsedCall } from './rehearsed-agent';
import { SpeechMissing } from './spoken-stage';

interface Playing {
  call: RehearsedCall;
  warn: (code: string, text: string) => void;
  settle: { resolve(facts: RehearsalFacts): void; reject(error: Error): void };
}

/** Plays rehearsals in a thread of its own, which starts with the first one, so that they never delay audio. */
export class RehearsalPlayer {
  private thread?: Worker;
  private readonly playing = new Map<number, Playing>();
  private last = 0;
  private isClosed = false;

  constructor(private readonly models: Models) {}

  /** @throws SpeechMissing; Error if it cannot be played, or the signal is aborted */
  async play(
    call: RehearsedCall,
    rehearsal: RehearsalOfCall,
    warn: (code: string, text: string) => void,
    signal: AbortSignal,
  ): Promise<RehearsalFacts> {
    signal.throwIfAborted();
    if (this.isClosed) throw new Error('The runtime stops.');
    const thread = (this.thread ??= this.start());
    const id = ++this.last;
    const send = (message: ToThread) => thread.postMessage(message);
    const stop = () => {
      send({ type: 'stop', id, reason: describeError(signal.reason) });
      this.playing.get(id)?.settle.reject(signal.reason as Error);
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        this.playing.set(id, { call, warn, settle: { resolve, reject } });
        send({ type: 'play', id, start: call.start, rehearsal });
      });
    } finally {
      signal.removeEventListener('abort', stop);
      this.playing.delete(id);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.thread?.terminate();
  }

  private start(): Worker {
    const thread = new Worker(join(__dirname, 'rehearsal-thread.js'), {
      workerData: { models: this.models },
    });
    // An idle thread does not keep the process.
    thread.unref();
    thread.on('message', (message: FromThread) => void this.receive(thread, message));
    thread.on('error', ({ message }) => this.lose(thread, message));
    thread.on('exit', () => this.lose(thread, 'The thread of the rehearsals has ended.'));
    return thread;
  }

  private async receive(thread: Worker, message: FromThread): Promise<void> {
    const playing = this.playing.get(message.id);
    if (!playing) return;
    switch (message.type) {
      case 'played':
        return playing.settle.resolve(message.facts);
      case 'failed':
        return playing.settle.reject(
          message.isSpeechMissing ? new SpeechMissing(message.error) : new Error(message.error),
        );
      case 'warning':
        return playing.warn(message.code, message.text);
      case 'search': {
        const { id, search } = message;
        const answer = await playing.call.search(message.query, message.options).then(
          (passages): ToThread => ({ type: 'found', id, search, passages }),
          (error: unknown): ToThread => ({ type: 'not-found', id, search, error: describeError(error) }),
        );
        thread.postMessage(answer);
      }
    }
  }

  /** Another one starts with the next rehearsal. */
  private lose(thread: Worker, sentence: string): void {
    if (this.thread !== thread) return;
    this.thread = undefined;
    for (const { settle } of this.playing.values()) settle.reject(new Error(sentence));
  }
}
