import { statement } from '../../platform/database/statement';

export const KEEP_REHEARSALS = statement<{ workspaceId: string; ids: string[] }, { id: string }>(
  'keep-rehearsals',
  'SELECT id FROM rehearsals WHERE workspace_id = $workspaceId AND id = ANY ($ids) ORDER BY id FOR KEY SHARE',
);
