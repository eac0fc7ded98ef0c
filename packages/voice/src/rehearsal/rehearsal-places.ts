import { setTimeout as sleep } from 'node:timers/promises';

/** The time for which one waits here, before the server offers it to all runtimes again. */
const WAIT_MS = 30_000;
const LOOK_MS = 250;
const MAX_WAITING = 16;

/** The places of web calls. */
export interface SparePlaces {
  /** Whether there are places beside the last one. */
  readonly hasSpare: boolean;
  /** @returns false if no other place would be free */
  takeSpare(id: string, workspaceId: string): boolean;
  leave(id: string): void;
}

/**
 * The rehearsals of a process that are spoken. One is played at once, in a place of a web call that is not the last free
 * one. The others wait in the order in which they came, so that no workspace keeps the place.
 */
export class RehearsalPlaces {
  private readonly waiting: string[] = [];
  private playing?: string;

  constructor(
    private readonly calls: SparePlaces,
    private readonly waitMs = WAIT_MS,
  ) {}

  /** @returns false if there is no place in time @throws the reason of the signal */
  async take(id: string, workspaceId: string, signal: AbortSignal): Promise<boolean> {
    const { calls, waiting } = this;
    if (!calls.hasSpare || waiting.length >= MAX_WAITING) return false;
    waiting.push(id);
    try {
      for (const until = performance.now() + this.waitMs; performance.now() < until;) {
        signal.throwIfAborted();
        if (waiting[0] === id && this.playing === undefined && calls.takeSpare(id, workspaceId)) {
          this.playing = id;
          return true;
        }
        await sleep(LOOK_MS);
      }
      return false;
    } finally {
      waiting.splice(waiting.indexOf(id), 1);
    }
  }

  leave(id: string): void {
    if (this.playing !== id) return;
    this.playing = undefined;
    this.calls.leave(id);
  }
}
