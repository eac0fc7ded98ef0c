import { findQuota } from '../../../accounts/workspaces/quotas.sql';

export const FIND_RECORDING_BYTES_QUOTA = findQuota(
  'recording_bytes',
  'SELECT COALESCE(sum(bytes), 0) FROM recording_files WHERE workspace_id = $workspaceId',
);
