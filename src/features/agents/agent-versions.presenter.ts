import type { AgentVersionDto } from './agent-versions.dto';
import type { ListedVersion } from './agent-versions.repository';

export const presentVersion = (version: ListedVersion): AgentVersionDto => ({
  version: version.version,
  created_at: version.createdAt,
  created_by: version.createdBy,
  restored_from: version.restoredFrom,
  calls: version.calls,
});
