/** The tables of the reference. They have indexes for the keys, and to find calls in progress after a crash. */
export const SCHEMA = `
  CREATE TABLE workspaces (id uuid PRIMARY KEY, credits integer NOT NULL CHECK (credits >= 0));
  CREATE TABLE api_keys (hash bytea PRIMARY KEY, workspace_id uuid NOT NULL, revoked_at timestamptz);
  CREATE TABLE agents (
    id uuid PRIMARY KEY, workspace_id uuid NOT NULL, version integer NOT NULL, config jsonb NOT NULL,
    calls_ended integer NOT NULL DEFAULT 0, seconds_ended integer NOT NULL DEFAULT 0);
  CREATE TABLE calls (
    id uuid PRIMARY KEY, workspace_id uuid NOT NULL, agent_id uuid NOT NULL, agent_version integer NOT NULL,
    campaign_id uuid, status text NOT NULL DEFAULT 'queued', to_number text NOT NULL, request jsonb NOT NULL,
    hold integer NOT NULL, charge integer NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now(),
    token uuid, worker_id text, accepted_at timestamptz, heartbeat_at timestamptz, connected_at timestamptz,
    ended_at timestamptz, disconnect_reason text, summary text);
  CREATE INDEX calls_in_progress ON calls (id) WHERE status <> 'ended';
  CREATE TABLE ledger (
    call_id uuid NOT NULL, kind text NOT NULL, workspace_id uuid NOT NULL, amount integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (call_id, kind));
  CREATE TABLE webhooks (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(), call_id uuid NOT NULL, type text NOT NULL, url text NOT NULL,
    data jsonb NOT NULL, next_attempt_at timestamptz DEFAULT now());
  CREATE INDEX webhooks_due ON webhooks (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
  CREATE TABLE recipients (
    campaign_id uuid NOT NULL, row_number integer NOT NULL, phone_number text NOT NULL, call_id uuid,
    PRIMARY KEY (campaign_id, row_number));
  CREATE INDEX recipients_to_call ON recipients (campaign_id, row_number) WHERE call_id IS NULL`;
