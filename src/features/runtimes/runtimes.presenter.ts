import type { RuntimeWorkerDto } from './runtimes.dto';
import type { SeenWorker } from './runtimes.repository';

export const presentWorker = (worker: SeenWorker): RuntimeWorkerDto => ({
  worker_id: worker.id,
  name: worker.name,
  version: worker.version,
  capacity: worker.capacity,
  calls: worker.calls,
  providers: worker.providers.map((provider) => ({ ...provider, since: new Date(provider.since) })),
  last_seen_at: worker.lastSeenAt,
});
