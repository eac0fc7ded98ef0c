import type { RuntimeWorkerDto } from './workers.dto';
import type { SeenWorker } from './workers.repository';

export const presentWorker = (worker: SeenWorker): RuntimeWorkerDto => ({
  worker_id: worker.id,
  name: worker.name,
  version: worker.version,
  capacity: worker.capacity,
  calls: worker.calls,
  last_seen_at: worker.lastSeenAt,
});
