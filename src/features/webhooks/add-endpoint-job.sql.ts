import { FOLLOW_ENDPOINT, MAX_JOB_ATTEMPTS } from './delivery-job';

/**
 * SQL: the key of a job that may be lost if another one with the key is just taken, because that one does the same. A job
 * that a change of the status adds has no key: it must begin after the commit.
 */
export const ENDPOINT_JOB_KEY = `concat('endpoint ', endpoint_id)`;

/**
 * SQL: an expression that adds the job of an endpoint, for a row with a workspace_id and an endpoint_id.
 * @param after the sequence of the last delivery that was sent on after the change of the status
 * @param until that of the last one that is to be sent on; NULL: the last that is pending
 */
export const addEndpointJob = ({ runAt = 'now()', jobKey = 'NULL', after = `'0'`, until = 'NULL' } = {}) => `
  graphile_worker.add_job('${FOLLOW_ENDPOINT}',
    json_build_object('workspaceId', workspace_id, 'endpointId', endpoint_id, 'after', ${after}, 'until', ${until}),
    run_at => ${runAt}, job_key => ${jobKey}, max_attempts => ${MAX_JOB_ATTEMPTS}, flags => ARRAY[workspace_id::text])`;
