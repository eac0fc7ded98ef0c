import { statement } from '../../platform/database/statement';
import { INVOCATION_STATE } from './tool-invocation.entity';

/** More than this many unknown invocations are counted as this many, so that the statement has a bound. */
export const MAX_COUNTED_INVOCATIONS = 100_000;

/** A left invocation is taken a second after its lease, so one that waits for a minute is left by all servers. */
export const COUNT_WAITING_INVOCATIONS = statement<object, { left: number; unknown: number }>(
  'count-waiting-tool-invocations',
  `
    SELECT (SELECT count(*)::int FROM tool_invocations
            WHERE state = '${INVOCATION_STATE.running}' AND lease_until < now() - interval '1 minute') AS left,
           (SELECT count(*)::int
            FROM (SELECT FROM tool_invocations WHERE state = '${INVOCATION_STATE.unknown}'
                  LIMIT ${MAX_COUNTED_INVOCATIONS}) AS unknown) AS unknown`,
);
