import type { Actor } from '../../platform/http/actor';
import { statement } from '../../platform/database/statement';

export const FIND_VOICE_ENGINES = statement<
  { workspaceId: string; ids: string[] },
  { id: string; voiceEngine: string }
>(
  'find-voice-engines',
  `SELECT id, config -> 'voiceConfig' ->> 'provider' AS "voiceEngine" FROM agents
   WHERE workspace_id = $workspaceId AND id = ANY ($ids)`,
);

export interface AgentTexts {
  id: string;
  /** The `dynamic_variables` of the agent. */
  declared: string[];
  greeting: string;
  /** All of its texts that have placeholders. */
  texts: string;
}

/** The texts of the version that calls use, or of the newest one if none is published. */
export const FIND_TEXTS = statement<{ workspaceId: string; id: string }, AgentTexts>(
  'find-agent-variables',
  `SELECT id, config -> 'dynamic_variables' AS declared, config ->> 'greeting' AS greeting,
     concat_ws(E'\\n', config ->> 'prompt', config ->> 'greeting', config ->> 'localisedPrompt',
       config -> 'voicemailConfig' ->> 'message') AS texts
   FROM (
     SELECT agents.id, COALESCE(snapshot, config) AS config
     FROM agents LEFT JOIN agent_versions ON gated AND agent_id = agents.id AND version = active_version
     WHERE agents.workspace_id = $workspaceId AND agents.id = $id AND deleted_at IS NULL
   ) AS agent`,
);

/** The agents whose actions have one of these names. */
export const FIND_NAMING = statement<{ workspaceId: string; names: string[] }, { id: string }>(
  'find-agents-naming-tools',
  `SELECT id FROM agents
   WHERE workspace_id = $workspaceId AND deleted_at IS NULL AND config -> 'actions' ?| $names::text[]`,
);

export const RAISE_VERSIONS = statement<{ ids: string[]; updatedBy: Actor | null }>(
  'raise-agent-versions',
  `UPDATE agents SET deployment_version = deployment_version + 1,
     deployment_last_updated = now(), updated_at = now(), updated_by = $updatedBy::jsonb
   WHERE id = ANY (ARRAY(SELECT id FROM agents WHERE id = ANY ($ids) ORDER BY id FOR NO KEY UPDATE))`,
);
