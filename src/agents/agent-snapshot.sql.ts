import { PRESENTATION_FIELDS } from './agent-defaults';
import { SNAPSHOT_COLUMNS } from './agent-snapshot';

/** An expression on a row of `agents`: its snapshot, as `snapshotOf` makes it, and the ids of its knowledge bases. */
export const AGENT_SNAPSHOT = `
  agents.config - '{${PRESENTATION_FIELDS.join()}}'::text[]
    || jsonb_build_object(${SNAPSHOT_COLUMNS.map((column) => `'${column}', agents.${column}`).join(', ')},
         'knowledgeBases', COALESCE(
           (SELECT jsonb_agg(knowledge_base_id ORDER BY position)
            FROM knowledge_base_assignments WHERE agent_id = agents.id), '[]'))`;
