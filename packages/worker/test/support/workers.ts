import { createWorker, type Handler, type Logger, type Worker, type WorkerOptions } from '@parley/worker';
import type { TestParley } from '../../../../test/support/parley';
import { rabbitmqUrl } from '../../../../test/support/rabbitmq';

export interface Log extends Logger {
  /** `level message`, in their order. */
  lines: string[];
}

export function collectingLogger(): Log {
  const lines: string[] = [];
  const log = (level: string) => (message: string) => void lines.push(`${level} ${message}`);
  return { lines, debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
}

export interface RunningWorker {
  worker: Worker;
  log: Log;
  /** The promise of `run()`. */
  ran: Promise<void>;
}

/**
 * Starts workers of a server on RabbitMQ. They are stopped after each test.
 * @param create default: that of today's library
 */
export function useWorkers(
  parley: { topology: Pick<TestParley['topology'], 'calls'> },
  create: typeof createWorker = createWorker,
) {
  const running: RunningWorker[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map(({ worker }) => worker.stop({ seconds: 0 })));
  });

  return async (handler: Handler, options: WorkerOptions = {}): Promise<RunningWorker> => {
    const log = collectingLogger();
    const prefix = parley.topology.calls.replace(/\.calls$/, '');
    const worker = create({ url: rabbitmqUrl, prefix, logger: log, ...options }, handler);
    const started = new Promise<void>((resolve) =>
      worker.on('state', (state) => state === 'running' && resolve()),
    );
    const ran = worker.run();
    const entry = { worker, log, ran };
    running.push(entry);
    await Promise.race([started, ran]);
    return entry;
  };
}
