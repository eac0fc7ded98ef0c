/** $1 ids, $2 tokens, $3 workers. */
export const CLAIM = `
  UPDATE calls SET status = 'accepted', token = input.token, worker_id = input.worker_id, accepted_at = now(),
         heartbeat_at = now()
  FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS input (id, token, worker_id)
  WHERE calls.id = input.id AND status = 'queued'
  RETURNING calls.id`;

/** $1 ids, $2 tokens. */
export const CONNECT = `
  WITH connected AS (
    UPDATE calls SET status = 'connected', connected_at = now(), heartbeat_at = now()
    FROM unnest($1::uuid[], $2::uuid[]) AS input (id, token)
    WHERE calls.id = input.id AND calls.token = input.token AND status = 'accepted'
    RETURNING calls.id, workspace_id, agent_id, to_number, request
  )
  INSERT INTO webhooks (call_id, type, url, data)
  SELECT id, 'call.started', request->>'webhook_url', to_jsonb(connected) FROM connected
  WHERE request->>'webhook_url' <> ''`;

/** $1 ids, $2 tokens. */
export const HEARTBEAT = `
  UPDATE calls SET heartbeat_at = now()
  FROM unnest($1::uuid[], $2::uuid[]) AS input (id, token)
  WHERE calls.id = input.id AND calls.token = input.token AND status IN ('accepted', 'connected')`;

/** $1 ids, $2 tokens, $3 reasons, $4 summaries. Locks workspaces and agents in the order of their ids. */
export const END = `
  WITH ended AS (
    UPDATE calls SET status = 'ended', ended_at = now(), disconnect_reason = reason, summary = input.summary,
           charge = GREATEST(1, CEIL(EXTRACT(EPOCH FROM now() - connected_at) / 60))
    FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) AS input (id, token, reason, summary)
    WHERE calls.id = input.id AND calls.token = input.token AND status IN ('accepted', 'connected')
    RETURNING calls.*
  ), entries AS (
    INSERT INTO ledger (call_id, kind, workspace_id, amount)
    SELECT id, 'release', workspace_id, hold FROM ended UNION ALL SELECT id, 'charge', workspace_id, -charge FROM ended
  ), workspace AS (
    SELECT id FROM workspaces WHERE id IN (SELECT workspace_id FROM ended) ORDER BY id FOR NO KEY UPDATE
  ), balance AS (
    UPDATE workspaces SET credits = credits + owed
    FROM (SELECT workspace_id, sum(hold - charge) AS owed FROM ended GROUP BY workspace_id) AS sums
    JOIN workspace ON workspace.id = workspace_id
    WHERE workspaces.id = workspace_id
    RETURNING workspaces.id
  ), agent AS (
    SELECT agents.id FROM agents
    WHERE id IN (SELECT agent_id FROM ended) AND workspace_id IN (SELECT id FROM balance) ORDER BY id FOR NO KEY UPDATE
  ), totals AS (
    UPDATE agents SET calls_ended = calls_ended + calls, seconds_ended = seconds_ended + seconds
    FROM (SELECT agent_id, count(*) AS calls, sum(EXTRACT(EPOCH FROM ended_at - connected_at)) AS seconds
          FROM ended GROUP BY agent_id) AS sums
    JOIN agent ON agent.id = agent_id
    WHERE agents.id = agent_id
  )
  INSERT INTO webhooks (call_id, type, url, data)
  SELECT id, 'call.ended', request->>'webhook_url', to_jsonb(ended) - 'request' FROM ended
  WHERE request->>'webhook_url' <> ''`;
