/** $1 the hashes of API keys. */
export const FIND_KEYS = `
  SELECT hash, workspace_id FROM api_keys WHERE hash = ANY($1::bytea[]) AND revoked_at IS NULL`;

/**
 * One round trip and one commit for all calls that wait. Each is accepted or refused for itself. The rows of workspaces
 * are locked in the order of their ids. $1 ids, $2 workspaces, $3 agents, $4 numbers, $5 requests.
 */
export const ACCEPT = `
  WITH input AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::jsonb[]) WITH ORDINALITY
      AS input (id, workspace_id, agent_id, to_number, request, n)
  ), known AS (
    SELECT input.*, agents.version, row_number() OVER (PARTITION BY input.workspace_id ORDER BY n) AS place
    FROM input JOIN agents ON agents.id = input.agent_id AND agents.workspace_id = input.workspace_id
  ), locked AS (
    SELECT id, credits FROM workspaces WHERE id IN (SELECT workspace_id FROM known) ORDER BY id FOR NO KEY UPDATE
  ), granted AS (
    SELECT known.* FROM known JOIN locked ON locked.id = known.workspace_id WHERE place <= credits
  ), held AS (
    UPDATE workspaces SET credits = credits - holds.count
    FROM (SELECT workspace_id, count(*) FROM granted GROUP BY workspace_id) AS holds
    WHERE workspaces.id = holds.workspace_id
  ), call AS (
    INSERT INTO calls (id, workspace_id, agent_id, agent_version, to_number, request, hold)
    SELECT id, workspace_id, agent_id, version, to_number, request, 1 FROM granted
  ), entry AS (
    INSERT INTO ledger (call_id, kind, workspace_id, amount) SELECT id, 'hold', workspace_id, -1 FROM granted
  )
  SELECT id, version FROM granted`;

/**
 * Accepts the calls of a batch of recipients, or none of them if the workspace has too few credits: a CHECK fails then.
 * $1 the campaign, $2 the workspace, $3 the agent, $4 the last row of the batch before, $5 how many rows.
 */
export const DISPATCH = `
  WITH next AS (
    UPDATE recipients SET call_id = gen_random_uuid()
    WHERE campaign_id = $1 AND row_number > $4::integer AND row_number <= $4::integer + $5::integer AND call_id IS NULL
    RETURNING call_id AS id, phone_number
  ), held AS (
    UPDATE workspaces SET credits = credits - (SELECT count(*) FROM next) WHERE id = $2
  ), call AS (
    INSERT INTO calls (id, workspace_id, agent_id, agent_version, campaign_id, to_number, request, hold)
    SELECT next.id, $2, agents.id, agents.version, $1, phone_number, '{}', 1
    FROM next, agents WHERE agents.id = $3 AND agents.workspace_id = $2
    RETURNING id, agent_version, to_number
  ), entry AS (
    INSERT INTO ledger (call_id, kind, workspace_id, amount) SELECT id, 'hold', $2, -1 FROM next
  )
  SELECT id, agent_version AS version, to_number AS "toNumber" FROM call`;

export const AGENT_CONFIG = 'SELECT config FROM agents WHERE id = $1';
