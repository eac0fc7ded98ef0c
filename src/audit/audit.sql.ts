import { statement } from '../database/statement';

/** Entries get their ids in the order of their times, so the oldest ones need no index of their own. */
export const DELETE_OLD_ENTRIES = statement<{ days: number; limit: number }, { id: string }>(
  'delete-old-audit-entries',
  `
    DELETE FROM audit_entries
    WHERE id IN (SELECT id FROM audit_entries ORDER BY id LIMIT $limit)
      AND created_at < now() - $days::int * interval '1 day'
    RETURNING id`,
);
