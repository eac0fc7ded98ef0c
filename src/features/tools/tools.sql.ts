import { MAX_TOOLS_OF_AGENT } from './tool-definition';

/**
 * SQL: the tools that an agent names in its actions, as {@link PinnedTool}, in this order.
 * @param agent SQL: a row of `agents`
 */
export const toolsOfAgent = (agent: string) => `
  COALESCE((
    SELECT jsonb_agg(definition || jsonb_build_object('tool_id', id, 'name', name) ORDER BY place)
    FROM (
      SELECT tools.id, tools.name, tools.definition, min(named.place) AS place
      FROM jsonb_array_elements_text(${agent}.config -> 'actions') WITH ORDINALITY AS named (name, place)
      JOIN tools ON tools.workspace_id = ${agent}.workspace_id AND tools.name = named.name
      GROUP BY tools.id ORDER BY place LIMIT ${MAX_TOOLS_OF_AGENT}
    ) AS named), '[]')`;
