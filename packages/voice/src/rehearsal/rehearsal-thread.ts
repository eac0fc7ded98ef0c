import type { CallStart, Passage, RehearsalFacts, RehearsalOfCall, SearchOptions } from '@parley/worker';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { describeError } from '../errors';
import { playRehearsal } from './play-rehearsal';
import { LocalSpeech } from '../speech/local/local-speech';
import type { Models } from './rehearsed-agent';
import { SpeechMissing, SpokenStage } from './spoken-stage';

/** Messages to the thread, each about the rehearsal with this id. */
export type ToThread =
  | { type: 'play'; id: number; start: CallStart; rehearsal: RehearsalOfCall }
  | { type: 'stop'; id: number; reason: string }
  | { type: 'found'; id: number; search: number; passages: Passage[] }
  | { type: 'not-found'; id: number; search: number; error: string };

export type FromThread =
  | { type: 'played'; id: number; facts: RehearsalFacts }
  | { type: 'failed'; id: number; error: string; isSpeechMissing: boolean }
  | { type: 'warning'; id: number; code: string; text: string }
  | { type: 'search'; id: number; search: number; query: string; options?: SearchOptions };

type Found = Extract<ToThread, { type: 'found' | 'not-found' }>;

/** Plays the rehearsals of another thread. */
class RehearsalThread {
  private readonly playing = new Map<number, AbortController>();
  private readonly searches = new Map<number, (found: Found) => void>();
  private lastSearch = 0;

  constructor(
    private readonly port: MessagePort,
    private readonly models: Models,
  ) {
    port.on('message', (message: ToThread) => this.receive(message));
  }

  private receive(message: ToThread): void {
    switch (message.type) {
      case 'play':
        return void this.play(message);
      case 'stop':
        return this.playing.get(message.id)?.abort(new Error(message.reason));
      case 'found':
      case 'not-found':
        this.searches.get(message.search)?.(message);
        this.searches.delete(message.search);
    }
  }

  private async play({ id, start, rehearsal }: Extract<ToThread, { type: 'play' }>): Promise<void> {
    const controller = new AbortController();
    this.playing.set(id, controller);
    const search = (query: string, options?: SearchOptions) => this.search(id, query, options);
    const warn = (code: string, text: string) => this.send({ type: 'warning', id, code, text });
    const { signal } = controller;
    const speech = rehearsal.mode === 'audio' ? new LocalSpeech() : undefined;
    try {
      const parts = { models: this.models, warn };
      const stage = speech && new SpokenStage(new Date(rehearsal.situation.now), { speech, warn, signal });
      const facts = await playRehearsal({ start, search }, rehearsal, parts, signal, stage);
      this.send({ type: 'played', id, facts });
    } catch (error) {
      const isSpeechMissing = error instanceof SpeechMissing;
      this.send({ type: 'failed', id, error: describeError(error), isSpeechMissing });
    } finally {
      this.playing.delete(id);
      await speech?.close();
    }
  }

  private async search(id: number, query: string, options?: SearchOptions): Promise<Passage[]> {
    const search = ++this.lastSearch;
    const found = await new Promise<Found>((resolve) => {
      this.searches.set(search, resolve);
      this.send({ type: 'search', id, search, query, options });
    });
    if (found.type === 'not-found') throw new Error(found.error);
    return found.passages;
  }

  private send(message: FromThread): void {
    this.port.postMessage(message);
  }
}

if (parentPort) new RehearsalThread(parentPort, (workerData as { models: Models }).models);
