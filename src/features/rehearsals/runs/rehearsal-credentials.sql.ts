import { PLAYED_VERSION } from './rehearsal-run.entity';

/** SQL: the columns of rehearsals for their credentials, which read the knowledge bases of their agents. */
export const CREDENTIALS_OF_REHEARSALS = `
  SELECT result.id, result.token, result.workspace_id, run.agent_id, ${PLAYED_VERSION}, run.created_by, result.status,
         result.accepted_at, result.ended_at
  FROM rehearsal_results AS result JOIN rehearsal_runs AS run ON run.id = result.run_id
  WHERE result.id = ANY ($ids)`;
