import { statement } from '../../platform/database/statement';
import { ERASURE_STATUS, type Erasure } from './erasure.entity';

type Answered = Pick<Erasure, 'id' | 'status'>;

const { pending, running, waiting, completed } = ERASURE_STATUS;

/** An open erasure makes one more pass before it completes, and makes it at once if it waits. */
const ASKED_AGAIN = `
  revision = erasures.revision + 1,
  due_at = CASE erasures.status WHEN '${waiting}' THEN now() ELSE erasures.due_at END`;

/** No row: there is no open erasure of the number. */
export const REPEAT_ERASURE = statement<{ workspaceId: string; phoneNumber: string }, Answered>(
  'repeat-erasure',
  `UPDATE erasures SET ${ASKED_AGAIN} WHERE workspace_id = $workspaceId AND phone_number = $phoneNumber
   RETURNING id, status`,
);

export const ADD_ERASURE = statement<{ id: string; workspaceId: string; phoneNumber: string }, Answered>(
  'add-erasure',
  `
    INSERT INTO erasures (id, workspace_id, phone_number, status)
    VALUES ($id, $workspaceId, $phoneNumber, '${pending}')
    ON CONFLICT (workspace_id, phone_number) WHERE phone_number IS NOT NULL DO UPDATE SET ${ASKED_AGAIN}
    RETURNING id, status`,
);

/**
 * The longest time that one batch may take. Each batch renews the lease; after a kill, another process takes over
 * when it ends.
 */
const LEASE = `interval '30 seconds'`;

/** Finds one erasure of each workspace, so that many of one workspace do not delay the others. */
export const FIND_DUE_ERASURES = statement<object, { id: string }>(
  'find-due-erasures',
  `SELECT DISTINCT ON (workspace_id) id FROM erasures
   WHERE phone_number IS NOT NULL AND due_at <= now() ORDER BY workspace_id, due_at`,
);

export interface OpenErasure extends Pick<Erasure, 'id' | 'workspaceId' | 'revision'> {
  phoneNumber: string;
}

/** No row: another process works on it. */
export const CLAIM_ERASURE = statement<{ id: string }, OpenErasure>(
  'claim-erasure',
  `
    UPDATE erasures SET status = '${running}', due_at = now() + ${LEASE}
    WHERE id = $id AND phone_number IS NOT NULL AND due_at <= now()
    RETURNING id, workspace_id AS "workspaceId", phone_number AS "phoneNumber", revision`,
);

export const COUNT_ERASED = statement<{ id: string; calls: number; recipients: number }>(
  'count-erased',
  `
    UPDATE erasures SET calls = calls + $calls, recipients = recipients + $recipients, due_at = now() + ${LEASE}
    WHERE id = $id AND phone_number IS NOT NULL`,
);

/** The longer it waits for others, the longer is the pause between its passes. */
const PAUSE = `
  LEAST(GREATEST((now() - created_at) / 10, interval '0.5 seconds'), interval '5 minutes')`;

/** Why an erasure is not completed, and when it goes on: at once, in a moment, or when it has waited for a while. */
export type Postponed = 'more' | 'revoked' | 'waiting';

export const POSTPONE_ERASURE = statement<{ id: string; reason: Postponed; callsUnderWay: number }>(
  'postpone-erasure',
  `
    UPDATE erasures
    SET status = CASE $reason WHEN 'waiting' THEN '${waiting}' ELSE '${running}' END,
        due_at = now() + CASE $reason WHEN 'more' THEN interval '0' WHEN 'revoked' THEN interval '0.5 seconds'
                                      ELSE ${PAUSE} END,
        calls_under_way = $callsUnderWay
    WHERE id = $id AND phone_number IS NOT NULL`,
);

/** Completes an erasure and deletes the number. No row: it was requested again meanwhile. */
export const COMPLETE_ERASURE = statement<
  { id: string; revision: number; keptDoNotCall: boolean },
  Pick<Erasure, 'calls' | 'recipients'>
>(
  'complete-erasure',
  `
    UPDATE erasures
    SET status = '${completed}', phone_number = NULL, due_at = NULL, completed_at = now(), calls_under_way = 0,
        kept_do_not_call = $keptDoNotCall
    WHERE id = $id AND revision = $revision AND phone_number IS NOT NULL
    RETURNING calls, recipients`,
);

export const DELETE_OLD_ERASURES = statement<{ days: number; limit: number }, { id: string }>(
  'delete-old-erasures',
  `
    DELETE FROM erasures WHERE id IN (
      SELECT id FROM erasures WHERE completed_at < now() - $days * interval '1 day'
      ORDER BY completed_at LIMIT $limit FOR UPDATE SKIP LOCKED)
    RETURNING id`,
);
