import { invariant, pageOfRows } from '../../../platform/database/invariant';

/** Checks that no rehearsal is among the calls, and that none goes on in a run that has ended. */
export const CHECK_REHEARSALS = invariant(
  'rehearsals.apart',
  `
  SELECT id, workspace_id,
         CASE
           WHEN EXISTS (SELECT FROM conversations WHERE conversations.id = results.id)
             THEN 'A call has the id of the rehearsal'
           WHEN ended_at IS NULL AND EXISTS (
             SELECT FROM rehearsal_runs WHERE rehearsal_runs.id = results.run_id AND rehearsal_runs.ended_at IS NOT NULL)
             THEN 'The run has ended, and the rehearsal has not'
         END AS detail
  FROM (${pageOfRows('rehearsal_results', 5_000)}) results`,
);
