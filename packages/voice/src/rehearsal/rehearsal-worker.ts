import {
  type Call,
  CallFailed,
  type CallResult,
  createWorker,
  type Logger,
  type Worker,
  type WorkerOptions,
} from '@parley/worker';
import { rehearsalHandler } from './rehearsal-handler';
import { RehearsalPlaces, type SparePlaces } from './rehearsal-places';
import { RehearsalPlayer } from './rehearsal-player';
import type { Models } from './rehearsed-agent';

export interface RehearsalWorkerParts {
  models: Models;
  /** The calls of which a rehearsal that is spoken takes a place. */
  places: SparePlaces;
  /** Converses in a web call. */
  converse: (call: Call) => Promise<CallResult>;
}

/** Takes rehearsals from their queue, beside the workers of calls: if it must not consume, calls go on. */
export function createRehearsalWorker(
  options: WorkerOptions & { logger: Logger },
  { models, places: calls, converse }: RehearsalWorkerParts,
): Pick<Worker, 'run' | 'stop' | 'stats'> {
  const { logger } = options;
  const player = new RehearsalPlayer(models);
  const places = new RehearsalPlaces(calls);
  const createSpeaker = () => new RehearsalPlayer(models);
  const worker = createWorker(
    options,
    rehearsalHandler({
      ...{ player, createSpeaker, places, models, logger },
      converse: atMost(Math.max(1, Math.floor((options.capacity ?? 1) / 2)), converse),
    }),
  );
  return {
    stop: (how) => worker.stop(how),
    stats: () => worker.stats(),
    async run() {
      try {
        await worker.run();
      } catch (error) {
        logger.warn(`No rehearsals are played: ${(error as Error).message}`);
      } finally {
        await player.close();
      }
    },
  };
}

/** Rehearsals in real time leave the other places to rehearsals in text. */
function atMost(
  places: number,
  converse: RehearsalWorkerParts['converse'],
): RehearsalWorkerParts['converse'] {
  let taken = 0;
  return async (call) => {
    if (taken >= places) throw new CallFailed('dial_busy');
    taken++;
    try {
      return await converse(call);
    } finally {
      taken--;
    }
  };
}
