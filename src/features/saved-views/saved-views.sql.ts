import { statement } from '../../platform/database/statement';
import type { SavedView } from './saved-view.entity';

export type StoredView = Omit<SavedView, 'workspaceId' | 'workspace'>;

type WrittenView = Omit<SavedView, 'id' | 'workspace' | 'updatedAt'>;

const COLUMNS = `id, page, name, query, period, updated_by AS "updatedBy", updated_at AS "updatedAt"`;

const CHANGES =
  'query = $query, period = $period, updated_by = $updatedBy::jsonb, updated_at = clock_timestamp()';

export const LIST_SAVED_VIEWS = statement<{ workspaceId: string; page: string | null }, StoredView>(
  'list-saved-views',
  `
    SELECT ${COLUMNS} FROM saved_views
    WHERE workspace_id = $workspaceId AND page = COALESCE($page, page)
    ORDER BY page, name`,
);

/** Replaces a view. No row: the page has none with the name. */
export const REPLACE_SAVED_VIEW = statement<WrittenView, StoredView>(
  'replace-saved-view',
  `
    UPDATE saved_views
    SET ${CHANGES}
    WHERE workspace_id = $workspaceId AND page = $page AND name = $name
    RETURNING ${COLUMNS}`,
);

/** Adds a view, or replaces one that another request has added since {@link REPLACE_SAVED_VIEW}. */
export const ADD_SAVED_VIEW = statement<WrittenView & { id: string }, StoredView>(
  'add-saved-view',
  `
    INSERT INTO saved_views (id, workspace_id, page, name, query, period, updated_by, updated_at)
    VALUES ($id, $workspaceId, $page, $name, $query, $period, $updatedBy::jsonb, clock_timestamp())
    ON CONFLICT (workspace_id, page, name) DO UPDATE SET ${CHANGES} RETURNING ${COLUMNS}`,
);

export const DELETE_SAVED_VIEW = statement<{ workspaceId: string; id: string }, { name: string }>(
  'delete-saved-view',
  `DELETE FROM saved_views WHERE workspace_id = $workspaceId AND id = $id RETURNING name`,
);
