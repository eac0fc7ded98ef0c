import { createWorker, type Logger, type Worker, type WorkerOptions } from '@parley/worker';
import { rehearsalHandler } from './rehearsal-handler';
import { RehearsalPlayer } from './rehearsal-player';
import type { Models } from './rehearsed-agent';

/**
 * Takes rehearsals from their queue, beside the workers of calls: it has no place of a call, and if it must not consume,
 * calls go on.
 */
export function createRehearsalWorker(
  options: WorkerOptions & { logger: Logger },
  models: Models,
): Pick<Worker, 'run' | 'stop' | 'stats'> {
  const { logger } = options;
  const player = new RehearsalPlayer(models);
  const worker = createWorker(options, rehearsalHandler({ player, models, logger }));
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
