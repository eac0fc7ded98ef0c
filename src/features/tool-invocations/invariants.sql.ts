import { invariant, pageOfRows } from '../../platform/database/invariant';
import { hadTimeSince } from '../calls/model/had-time.sql';
import { INVOCATION_STATE, IS_BLOCKING, SETTLED_BY } from './tool-invocation.entity';

const [SERVER] = SETTLED_BY;

/** Checks that no invocation runs beyond its lease, that none was done without a request, and that nothing was done twice. */
export const CHECK_INVOCATIONS = invariant(
  'tools.settled',
  `
  SELECT id, workspace_id,
         CASE
           WHEN state = '${INVOCATION_STATE.running}' AND ${hadTimeSince('lease_until')}
             THEN format('The invocation runs since %s, and its lease is over', asked_at)
           WHEN state = '${INVOCATION_STATE.done}' AND settled_by = '${SERVER}' AND attempts = 0
             THEN 'The invocation was done, and no request was sent'
           WHEN ${IS_BLOCKING} AND EXISTS (
             SELECT FROM tool_invocations AS earlier
             WHERE earlier.conversation_id = invocations.conversation_id AND earlier.same_as = invocations.same_as
               AND earlier.id < invocations.id AND earlier.${IS_BLOCKING})
             THEN 'Another invocation before has done the same'
         END AS detail
  FROM (${pageOfRows('tool_invocations', 5_000)}) invocations`,
);
