import { statement } from '../../../platform/database/statement';
import type { Numbers } from '../../do-not-call/list-numbers.sql';
import { inStatus, IS_IN_PROGRESS, STATUS } from '../model/call-states';

/**
 * Waits for the claims of calls that were decided before their numbers were listed. Every later claim sees the entries:
 * it locks its call first, and reads the list after that.
 */
export const WAIT_FOR_CLAIMS = statement<{ workspaceId: string; numbers: Numbers }>(
  'wait-for-claims-of-listed-numbers',
  `
    SELECT id FROM conversations
    WHERE ${IS_IN_PROGRESS} AND ${inStatus(STATUS.queued)} AND workspace_id = $workspaceId
      AND to_number = ANY ($numbers)
    ORDER BY id FOR SHARE`,
);
