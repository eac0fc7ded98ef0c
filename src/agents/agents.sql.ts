import type { Statement } from '../database/sql';
import { statement } from '../database/statement';
import { MAX_VERSION } from './agent-types';

/** $1 workspace, $2 ids of agents. */
export const FIND_VOICE_ENGINES: Statement = {
  name: 'find-voice-engines',
  text: `
    SELECT id, config -> 'voiceConfig' ->> 'provider' AS "voiceEngine" FROM agents
    WHERE workspace_id = $1 AND id = ANY ($2)`,
};

/** $1 workspace, $2 id of an agent. */
export const FIND_VARIABLES: Statement = {
  name: 'find-agent-variables',
  text: `
    SELECT id, config -> 'dynamic_variables' AS declared, config ->> 'prompt' AS prompt, config ->> 'greeting' AS greeting
    FROM agents WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL`,
};

export const RAISE_VERSIONS = statement<{ ids: string[] }>(
  'raise-agent-versions',
  `UPDATE agents SET deployment_version = LEAST(deployment_version::bigint + 1, ${MAX_VERSION}),
     deployment_last_updated = now(), updated_at = now()
   WHERE id = ANY ($ids)`,
);
