-- The schema that the migrations make, for reading and for reviewing what a migration changes.
-- Written by npm run generate; do not edit.

CREATE OR REPLACE FUNCTION begin_slug_of_agent(of_name text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
            DECLARE
                plain text := regexp_replace(normalize(of_name, NFKD), '[\u0300-\u036f]', '', 'g');
                words text := regexp_replace(lower(plain COLLATE "C"), '[^a-z0-9]+', '-', 'g');
            BEGIN
                RETURN COALESCE(NULLIF(btrim(left(btrim(words, '-'), 50), '-'), ''), 'agent');
            END
            $function$;

CREATE OR REPLACE FUNCTION delete_recipients_of_campaign()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        DELETE FROM campaign_recipients WHERE campaign_id = OLD.id;
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION do_not_call_entries(workspace_ids uuid[], numbers text[])
 RETURNS SETOF do_not_call
 LANGUAGE plpgsql
 ROWS 1
AS $function$
      BEGIN
        RETURN QUERY
          SELECT entry.*
          FROM unnest(workspace_ids, numbers) AS asked (asked_workspace, asked_number)
          CROSS JOIN LATERAL (
            SELECT * FROM do_not_call WHERE workspace_id = asked_workspace AND phone_number = asked_number LIMIT 1
          ) AS entry;
      END $function$;

CREATE OR REPLACE FUNCTION find_slug_of_agent(of_workspace uuid, of_name text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
            DECLARE
                beginning text := begin_slug_of_agent(of_name);
                found text := beginning;
            BEGIN
                FOR number IN 2 .. 1000000000 LOOP
                    EXIT WHEN NOT EXISTS (
                        SELECT FROM agents WHERE workspace_id = of_workspace AND slug = found AND deleted_at IS NULL);
                    found := beginning || '-' || number;
                END LOOP;
                RETURN found;
            END
            $function$;

CREATE OR REPLACE FUNCTION forget_answers_of_delivery()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
            BEGIN
                UPDATE webhook_attempts SET answer_headers = NULL, answer_body = NULL WHERE delivery_id = NEW.id;
                RETURN NULL;
            END
            $function$;

CREATE OR REPLACE FUNCTION give_slug_to_agent()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
            BEGIN
                NEW.slug := find_slug_of_agent(NEW.workspace_id, NEW.name);
                RETURN NEW;
            END
            $function$;

CREATE OR REPLACE FUNCTION subtract_measurements_of_deleted_calls()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
            BEGIN
                -- All who change the sums lock them in this order. The next statement then sees them as they are.
                PERFORM FROM measurement_rollups AS rollup
                JOIN (
                    SELECT DISTINCT workspace_id, starts_at, agent_id, agent_version, campaign_id, measure
                    FROM deleted, jsonb_object_keys(amounts) AS measure
                ) AS change USING (workspace_id, starts_at, agent_id, agent_version, campaign_id, measure)
                ORDER BY workspace_id, starts_at, agent_id, agent_version, campaign_id, measure COLLATE "C"
                FOR UPDATE OF rollup;

                WITH change AS MATERIALIZED (
                    SELECT workspace_id, starts_at, agent_id, agent_version, campaign_id, measure,
                           sum(value::bigint)::bigint AS amount
                    FROM deleted, jsonb_each_text(amounts) AS counted (measure, value)
                    GROUP BY workspace_id, starts_at, agent_id, agent_version, campaign_id, measure
                ), emptied AS (
                    DELETE FROM measurement_rollups AS rollup USING change
                    WHERE (rollup.workspace_id, rollup.starts_at, rollup.agent_id, rollup.agent_version,
                           rollup.campaign_id, rollup.measure)
                        = (change.workspace_id, change.starts_at, change.agent_id, change.agent_version,
                           change.campaign_id, change.measure)
                      AND rollup.amount = change.amount
                )
                UPDATE measurement_rollups AS rollup SET amount = rollup.amount - change.amount FROM change
                WHERE (rollup.workspace_id, rollup.starts_at, rollup.agent_id, rollup.agent_version,
                       rollup.campaign_id, rollup.measure)
                    = (change.workspace_id, change.starts_at, change.agent_id, change.agent_version,
                       change.campaign_id, change.measure)
                  AND rollup.amount <> change.amount;
                RETURN NULL;
            END
            $function$;

CREATE TABLE agent_call_totals (
  agent_id uuid NOT NULL,
  calls integer NOT NULL,
  successful integer NOT NULL,
  seconds bigint NOT NULL,
  last_ended_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT agent_call_totals_pkey PRIMARY KEY (agent_id),
  CONSTRAINT agent_call_totals_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id) ON DELETE CASCADE
);

CREATE TABLE agent_versions (
  agent_id uuid NOT NULL,
  version integer NOT NULL,
  workspace_id uuid NOT NULL,
  snapshot jsonb NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  created_by jsonb,
  restored_from integer,
  tools jsonb DEFAULT '[]'::jsonb NOT NULL,
  analysis jsonb,
  CONSTRAINT agent_versions_pkey PRIMARY KEY (agent_id, version, workspace_id),
  CONSTRAINT agent_versions_agent_id_workspace_id_fkey FOREIGN KEY (agent_id, workspace_id) REFERENCES agents(id, workspace_id) ON DELETE CASCADE
);

CREATE TABLE agents (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  user_id text NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  category text[] DEFAULT '{}'::text[] NOT NULL,
  status boolean DEFAULT true NOT NULL,
  config jsonb NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  deleted_at timestamp(3) with time zone,
  deployment_status text DEFAULT 'draft'::text NOT NULL,
  deployment_version integer DEFAULT 1 NOT NULL,
  deployment_deployed_at timestamp(3) with time zone,
  deployment_last_updated timestamp(3) with time zone NOT NULL,
  deployment_error text,
  analysis jsonb,
  slug text NOT NULL,
  updated_by jsonb,
  publish text,
  gated boolean DEFAULT false NOT NULL,
  active_version integer,
  active_type text,
  previous_version integer,
  deployment_by jsonb,
  deployment_run_id uuid,
  CONSTRAINT agents_pkey PRIMARY KEY (id),
  CONSTRAINT agents_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT agents_deployment_status_known CHECK ((deployment_status = ANY (ARRAY['draft'::text, 'deploying'::text, 'active'::text, 'failed'::text]))),
  CONSTRAINT agents_publish_known CHECK ((publish = ANY (ARRAY['automatic'::text, 'gated'::text]))),
  CONSTRAINT agents_type_known CHECK ((type = ANY (ARRAY['inbound'::text, 'outbound'::text, 'chat'::text, 'hybrid'::text])))
);
CREATE INDEX agents_deploying_idx ON agents USING btree (workspace_id) WHERE (gated AND (deployment_status = 'deploying'::text) AND (deleted_at IS NULL));
CREATE UNIQUE INDEX agents_id_workspace_id_idx ON agents USING btree (id, workspace_id);
CREATE INDEX agents_workspace_id_created_at_idx ON agents USING btree (workspace_id, created_at);
CREATE UNIQUE INDEX agents_workspace_id_slug_idx ON agents USING btree (workspace_id, slug) WHERE (deleted_at IS NULL);
CREATE TRIGGER agents_give_slug BEFORE INSERT ON agents FOR EACH ROW WHEN ((new.slug IS NULL)) EXECUTE FUNCTION give_slug_to_agent();

CREATE TABLE api_keys (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  user_id text NOT NULL,
  hash bytea NOT NULL,
  hint text NOT NULL,
  scopes text[],
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  parent_id uuid,
  name text,
  last_used_at timestamp(3) with time zone,
  created_by jsonb,
  link_id uuid,
  person_id uuid,
  cap_id uuid,
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_cap_id_workspace_id_fkey FOREIGN KEY (cap_id, workspace_id) REFERENCES call_caps(id, workspace_id),
  CONSTRAINT api_keys_parent_id_workspace_id_fkey FOREIGN KEY (parent_id, workspace_id) REFERENCES api_keys(id, workspace_id),
  CONSTRAINT api_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX api_keys_cap_id_idx ON api_keys USING btree (cap_id);
CREATE UNIQUE INDEX api_keys_hash_idx ON api_keys USING btree (hash);
CREATE UNIQUE INDEX api_keys_id_workspace_id_idx ON api_keys USING btree (id, workspace_id);
CREATE INDEX api_keys_link_id_idx ON api_keys USING btree (link_id);
CREATE INDEX api_keys_parent_id_idx ON api_keys USING btree (parent_id);
CREATE INDEX api_keys_person_id_idx ON api_keys USING btree (person_id);
CREATE INDEX api_keys_workspace_id_idx ON api_keys USING btree (workspace_id);

CREATE TABLE audit_entries (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  workspace_id uuid NOT NULL,
  actor_kind text NOT NULL,
  actor_id text NOT NULL,
  actor_name text NOT NULL,
  action text NOT NULL,
  target_kind text NOT NULL,
  target_id text,
  target_name text,
  details jsonb NOT NULL,
  request_id text,
  ip text,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT audit_entries_pkey PRIMARY KEY (id),
  CONSTRAINT audit_entries_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT audit_entries_actor_known CHECK ((actor_kind = ANY ('{key,token,session,person,operator,runtime}'::text[])))
);
CREATE INDEX audit_entries_workspace_id_actor_id_created_at_id_idx ON audit_entries USING btree (workspace_id, actor_id, created_at, id);
CREATE INDEX audit_entries_workspace_id_created_at_id_idx ON audit_entries USING btree (workspace_id, created_at, id);
CREATE INDEX audit_entries_workspace_id_request_id_idx ON audit_entries USING btree (workspace_id, request_id);
CREATE INDEX audit_entries_workspace_id_target_id_created_at_id_idx ON audit_entries USING btree (workspace_id, target_id, created_at, id);

CREATE TABLE call_analyses (
  conversation_id uuid NOT NULL,
  fields jsonb NOT NULL,
  opt_out boolean DEFAULT false NOT NULL,
  reported_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  criteria jsonb,
  CONSTRAINT call_analyses_pkey PRIMARY KEY (conversation_id),
  CONSTRAINT call_analyses_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE
);

CREATE TABLE call_caps (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  calls_per_day integer NOT NULL,
  started_on date,
  started_calls integer DEFAULT 0 NOT NULL,
  CONSTRAINT call_caps_pkey PRIMARY KEY (id),
  CONSTRAINT call_caps_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT call_caps_kept CHECK ((started_calls <= calls_per_day)),
  CONSTRAINT call_caps_positive CHECK ((calls_per_day > 0))
);
CREATE UNIQUE INDEX call_caps_id_workspace_id_idx ON call_caps USING btree (id, workspace_id);
CREATE INDEX call_caps_workspace_id_idx ON call_caps USING btree (workspace_id);

CREATE TABLE call_duration_corrections (
  workspace_id uuid NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  duration_sec integer NOT NULL,
  connected integer NOT NULL,
  failed integer NOT NULL,
  CONSTRAINT call_duration_corrections_pkey PRIMARY KEY (workspace_id, starts_at, duration_sec),
  CONSTRAINT call_duration_corrections_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES call_rollup_states(workspace_id) ON DELETE CASCADE
);

CREATE TABLE call_events (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  conversation_id uuid NOT NULL,
  kind text NOT NULL,
  data jsonb DEFAULT '{}'::jsonb NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT call_events_pkey PRIMARY KEY (id),
  CONSTRAINT call_events_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  CONSTRAINT call_events_kind_known CHECK ((kind = ANY ('{published,cancelled,corrected,transfer_allowed}'::text[])))
);
CREATE INDEX call_events_conversation_id_idx ON call_events USING btree (conversation_id);
CREATE INDEX call_events_corrected ON call_events USING btree (created_at) WHERE (kind = 'corrected'::text);

CREATE TABLE call_findings (
  conversation_id uuid NOT NULL,
  fields jsonb NOT NULL,
  criteria jsonb NOT NULL,
  answers jsonb NOT NULL,
  found_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT call_findings_pkey PRIMARY KEY (conversation_id),
  CONSTRAINT call_findings_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE
);

CREATE TABLE call_measurements (
  conversation_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  agent_version integer NOT NULL,
  campaign_id uuid NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  amounts jsonb NOT NULL,
  CONSTRAINT call_measurements_pkey PRIMARY KEY (conversation_id),
  CONSTRAINT call_measurements_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE
);
CREATE TRIGGER call_measurements_subtract_deleted AFTER DELETE ON call_measurements REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION subtract_measurements_of_deleted_calls();

CREATE TABLE call_recordings (
  conversation_id uuid NOT NULL,
  url text NOT NULL,
  duration_sec double precision,
  reported_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT call_recordings_pkey PRIMARY KEY (conversation_id),
  CONSTRAINT call_recordings_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE
);

CREATE TABLE call_rollup_states (
  workspace_id uuid NOT NULL,
  rolled_up_until timestamp(3) with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
  revision bigint DEFAULT '0'::bigint NOT NULL,
  segmented_until timestamp(3) with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
  CONSTRAINT call_rollup_states_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT call_rollup_states_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

CREATE TABLE call_rollups (
  workspace_id uuid NOT NULL,
  subject_id uuid NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  seconds bigint NOT NULL,
  credits bigint NOT NULL,
  connected integer NOT NULL,
  failed integer NOT NULL,
  bucket_minutes smallint NOT NULL,
  call_type text NOT NULL,
  CONSTRAINT call_rollups_pkey PRIMARY KEY (subject_id, bucket_minutes, starts_at, call_type),
  CONSTRAINT call_rollups_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES call_rollup_states(workspace_id) ON DELETE CASCADE
);

CREATE TABLE call_segment_durations (
  workspace_id uuid NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  connected integer[] NOT NULL,
  failed integer[] NOT NULL,
  CONSTRAINT call_segment_durations_pkey PRIMARY KEY (workspace_id, starts_at),
  CONSTRAINT call_segment_durations_workspace_id_starts_at_fkey FOREIGN KEY (workspace_id, starts_at) REFERENCES call_segments(workspace_id, starts_at) ON DELETE CASCADE
);

CREATE TABLE call_segments (
  workspace_id uuid NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  ends_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT call_segments_pkey PRIMARY KEY (workspace_id, starts_at),
  CONSTRAINT call_segments_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES call_rollup_states(workspace_id) ON DELETE CASCADE
);

CREATE TABLE call_transcripts (
  conversation_id uuid NOT NULL,
  turns integer DEFAULT 0 NOT NULL,
  truncated boolean DEFAULT false NOT NULL,
  bytes integer DEFAULT 0 NOT NULL,
  CONSTRAINT call_transcripts_pkey PRIMARY KEY (conversation_id),
  CONSTRAINT call_transcripts_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE
);

CREATE TABLE call_value_corrections (
  value_id uuid NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  connected integer NOT NULL,
  failed integer NOT NULL,
  seconds bigint NOT NULL,
  credits bigint NOT NULL,
  CONSTRAINT call_value_corrections_pkey PRIMARY KEY (value_id, starts_at),
  CONSTRAINT call_value_corrections_value_id_fkey FOREIGN KEY (value_id) REFERENCES call_values(id) ON DELETE CASCADE
);

CREATE TABLE call_value_rollups (
  value_id uuid NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  connected integer NOT NULL,
  failed integer NOT NULL,
  seconds bigint NOT NULL,
  credits bigint NOT NULL,
  CONSTRAINT call_value_rollups_pkey PRIMARY KEY (value_id, starts_at),
  CONSTRAINT call_value_rollups_value_id_fkey FOREIGN KEY (value_id) REFERENCES call_values(id) ON DELETE CASCADE
);

CREATE TABLE call_values (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  dimension text NOT NULL,
  value text NOT NULL,
  CONSTRAINT call_values_pkey PRIMARY KEY (id),
  CONSTRAINT call_values_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES call_rollup_states(workspace_id) ON DELETE CASCADE
);
CREATE INDEX call_values_workspace_id_dimension_idx ON call_values USING btree (workspace_id, dimension);

CREATE TABLE call_warnings (
  conversation_id uuid NOT NULL,
  warnings jsonb NOT NULL,
  CONSTRAINT call_warnings_pkey PRIMARY KEY (conversation_id),
  CONSTRAINT call_warnings_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  CONSTRAINT call_warnings_limited CHECK ((jsonb_array_length(warnings) <= 20))
);

CREATE TABLE calls_to_measure (
  conversation_id uuid NOT NULL,
  revision integer DEFAULT 1 NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT calls_to_measure_pkey PRIMARY KEY (conversation_id),
  CONSTRAINT calls_to_measure_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE
);
CREATE INDEX calls_to_measure_created_at_idx ON calls_to_measure USING btree (created_at);

CREATE TABLE campaign_log (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  campaign_id uuid NOT NULL,
  at timestamp(3) with time zone DEFAULT now() NOT NULL,
  event text NOT NULL,
  actor jsonb,
  text text NOT NULL,
  data jsonb DEFAULT '{}'::jsonb NOT NULL,
  CONSTRAINT campaign_log_pkey PRIMARY KEY (id),
  CONSTRAINT campaign_log_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON DELETE CASCADE,
  CONSTRAINT campaign_log_event_known CHECK ((event = ANY (ARRAY['created'::text, 'begun'::text, 'paused'::text, 'resumed'::text, 'cancelled'::text, 'changed'::text, 'recipient_removed'::text, 'waiting'::text, 'went_on'::text, 'expired'::text, 'completed'::text, 'failed'::text])))
);
CREATE INDEX campaign_log_campaign_id_id_idx ON campaign_log USING btree (campaign_id, id);

CREATE TABLE campaign_recipients (
  campaign_id uuid NOT NULL,
  phone_number text NOT NULL,
  row_number integer NOT NULL,
  customer_name text NOT NULL,
  dynamic_variables jsonb NOT NULL,
  conversation_id uuid,
  skipped text,
  status text DEFAULT 'pending'::text NOT NULL,
  timezone text DEFAULT ''::text NOT NULL,
  attempts smallint DEFAULT '0'::smallint NOT NULL,
  next_attempt_at timestamp(3) with time zone,
  removed boolean DEFAULT false NOT NULL,
  CONSTRAINT campaign_recipients_pkey PRIMARY KEY (campaign_id, phone_number),
  CONSTRAINT campaign_recipients_skipped_known CHECK ((skipped = ANY (ARRAY['do_not_call'::text, 'invalid_destination'::text, 'removed'::text, 'expired'::text, 'cancelled'::text]))),
  CONSTRAINT campaign_recipients_status_known CHECK ((status = ANY (ARRAY['pending'::text, 'calling'::text, 'retrying'::text, 'lost'::text, 'disconnected'::text, 'failed'::text, 'skipped'::text])))
);
CREATE UNIQUE INDEX campaign_recipients_conversation ON campaign_recipients USING btree (conversation_id) WHERE (conversation_id IS NOT NULL);
CREATE INDEX campaign_recipients_in_calls ON campaign_recipients USING btree (campaign_id, status) WHERE (status = ANY (ARRAY['calling'::text, 'lost'::text]));
CREATE INDEX campaign_recipients_pending ON campaign_recipients USING btree (campaign_id, timezone, row_number) WHERE (status = 'pending'::text);
CREATE INDEX campaign_recipients_retrying ON campaign_recipients USING btree (campaign_id, timezone, next_attempt_at) WHERE (status = 'retrying'::text);

CREATE TABLE campaign_zones (
  campaign_id uuid NOT NULL,
  timezone text NOT NULL,
  opens_at timestamp(3) with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
  closes_at timestamp(3) with time zone DEFAULT 'infinity'::timestamp with time zone NOT NULL,
  CONSTRAINT campaign_zones_pkey PRIMARY KEY (campaign_id, timezone),
  CONSTRAINT campaign_zones_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON DELETE CASCADE
);

CREATE TABLE campaigns (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  user_id text NOT NULL,
  name text NOT NULL,
  status text DEFAULT 'scheduled'::text NOT NULL,
  failure_reason text,
  schedule_time timestamp(3) with time zone NOT NULL,
  recipient_count integer NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  is_over boolean DEFAULT false NOT NULL,
  timezone text DEFAULT 'UTC'::text NOT NULL,
  windows jsonb DEFAULT '[]'::jsonb NOT NULL,
  concurrency integer,
  calls_per_second double precision,
  paced_until timestamp with time zone,
  retry jsonb,
  webhook_url text DEFAULT ''::text NOT NULL,
  expires_at timestamp(3) with time zone,
  waiting text,
  waiting_since timestamp(3) with time zone,
  outcomes jsonb DEFAULT '{}'::jsonb NOT NULL,
  count_pending integer DEFAULT 0 NOT NULL,
  count_calling integer DEFAULT 0 NOT NULL,
  count_retrying integer DEFAULT 0 NOT NULL,
  count_lost integer DEFAULT 0 NOT NULL,
  count_disconnected integer DEFAULT 0 NOT NULL,
  count_failed integer DEFAULT 0 NOT NULL,
  count_skipped integer DEFAULT 0 NOT NULL,
  has_begun boolean DEFAULT false NOT NULL,
  retrying_outcomes jsonb DEFAULT '{}'::jsonb NOT NULL,
  count_voicemail integer DEFAULT 0 NOT NULL,
  count_inactivity integer DEFAULT 0 NOT NULL,
  CONSTRAINT campaigns_pkey PRIMARY KEY (id),
  CONSTRAINT campaigns_agent_id_workspace_id_fkey FOREIGN KEY (agent_id, workspace_id) REFERENCES agents(id, workspace_id),
  CONSTRAINT campaigns_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT campaigns_failed_has_reason CHECK (((status = 'failed'::text) = (failure_reason IS NOT NULL))),
  CONSTRAINT campaigns_has_recipients CHECK ((recipient_count > 0)),
  CONSTRAINT campaigns_open_is_not_over CHECK ((NOT (is_over AND (status = ANY (ARRAY['scheduled'::text, 'running'::text, 'paused'::text]))))),
  CONSTRAINT campaigns_recipients_add_up CHECK ((((((((count_pending + count_calling) + count_retrying) + count_lost) + count_disconnected) + count_failed) + count_skipped) = recipient_count)),
  CONSTRAINT campaigns_results_add_up CHECK (((count_voicemail + count_inactivity) <= count_disconnected)),
  CONSTRAINT campaigns_status_known CHECK ((status = ANY (ARRAY['scheduled'::text, 'running'::text, 'paused'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX campaigns_going_on ON campaigns USING btree (schedule_time) WHERE (NOT is_over);
CREATE INDEX campaigns_workspace_id_created_at_idx ON campaigns USING btree (workspace_id, created_at);
CREATE TRIGGER campaigns_delete_recipients AFTER DELETE ON campaigns FOR EACH ROW EXECUTE FUNCTION delete_recipients_of_campaign();

CREATE TABLE console_links (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  user_id text NOT NULL,
  hash bytea NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  name text,
  used_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  person_id uuid,
  CONSTRAINT console_links_pkey PRIMARY KEY (id),
  CONSTRAINT console_links_person_id_workspace_id_fkey FOREIGN KEY (person_id, workspace_id) REFERENCES people(id, workspace_id) ON DELETE CASCADE,
  CONSTRAINT console_links_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX console_links_hash_idx ON console_links USING btree (hash);
CREATE INDEX console_links_person_id_idx ON console_links USING btree (person_id);
CREATE INDEX console_links_workspace_id_idx ON console_links USING btree (workspace_id);

CREATE TABLE conversations (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  user_id text NOT NULL,
  campaign_id uuid,
  status text DEFAULT 'queued'::text NOT NULL,
  call_type text NOT NULL,
  direction text NOT NULL,
  channel text NOT NULL,
  to_number text NOT NULL,
  from_number text NOT NULL,
  request jsonb NOT NULL,
  agent_version integer NOT NULL,
  agent_snapshot jsonb,
  hold integer NOT NULL,
  charge integer DEFAULT 0 NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  last_publish_at timestamp(3) with time zone NOT NULL,
  dispatched_at timestamp(3) with time zone,
  claim_id uuid,
  token uuid,
  worker_id text,
  accepted_at timestamp(3) with time zone,
  heartbeat_at timestamp(3) with time zone,
  connected_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  duration_sec integer DEFAULT 0 NOT NULL,
  disconnect_reason text,
  disconnected_by text,
  summary text DEFAULT ''::text NOT NULL,
  process_compliance text DEFAULT ''::text NOT NULL,
  outcome text DEFAULT ''::text NOT NULL,
  hangup_requested_at timestamp(3) with time zone,
  transcript_turns integer,
  incoming_claim_id uuid,
  attempt smallint DEFAULT '1'::smallint NOT NULL,
  started_by jsonb,
  hangup_requested_by jsonb,
  join_url text,
  join_expires_at timestamp(3) with time zone,
  listen_url text,
  listen_expires_at timestamp(3) with time zone,
  CONSTRAINT conversations_pkey PRIMARY KEY (id),
  CONSTRAINT conversations_agent_id_agent_version_workspace_id_fkey FOREIGN KEY (agent_id, agent_version, workspace_id) REFERENCES agent_versions(agent_id, version, workspace_id),
  CONSTRAINT conversations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT conversations_call_type_known CHECK ((call_type = ANY ('{phonecall,webcall}'::text[]))),
  CONSTRAINT conversations_claimed_once CHECK (((status = ANY ('{accepted,connected}'::text[])) <= (token IS NOT NULL))),
  CONSTRAINT conversations_direction_known CHECK ((direction = ANY ('{outbound,inbound}'::text[]))),
  CONSTRAINT conversations_disconnect_reason_known CHECK ((disconnect_reason = ANY ('{user_hangup,agent_hangup,call_transfer,voicemail_reached,inactivity,max_duration_reached,dial_busy,dial_no_answer,dial_failed,invalid_destination,cancelled,error,dispatch_failed,dispatch_expired,worker_lost}'::text[]))),
  CONSTRAINT conversations_disconnected_by_known CHECK ((disconnected_by = ANY ('{user,agent,system}'::text[]))),
  CONSTRAINT conversations_ended_has_reason CHECK (((ended_at IS NULL) = (disconnect_reason IS NULL))),
  CONSTRAINT conversations_join_complete CHECK (((num_nulls(join_url, join_expires_at) = 2) OR ((num_nulls(join_url, join_expires_at) = 0) AND (length(join_url) <= 2048)))),
  CONSTRAINT conversations_over_has_end CHECK (((status = ANY ('{disconnected,failed}'::text[])) = (ended_at IS NOT NULL))),
  CONSTRAINT conversations_status_known CHECK ((status = ANY ('{queued,accepted,connected,disconnected,failed}'::text[])))
);
CREATE INDEX conversations_agent_id_created_at_idx ON conversations USING btree (agent_id, created_at);
CREATE INDEX conversations_ended_external_id ON conversations USING btree (hashtextextended((request ->> 'external_id'::text), (0)::bigint)) WHERE ((ended_at IS NOT NULL) AND ((request ->> 'external_id'::text) <> ''::text));
CREATE INDEX conversations_ended_line ON conversations USING btree (workspace_id, "right"(
CASE
    WHEN (incoming_claim_id IS NULL) THEN from_number
    ELSE to_number
END, 4)) WHERE (ended_at IS NOT NULL);
CREATE INDEX conversations_ended_person ON conversations USING btree (workspace_id, "right"(
CASE
    WHEN (incoming_claim_id IS NULL) THEN to_number
    ELSE from_number
END, 4)) WHERE (ended_at IS NOT NULL);
CREATE INDEX conversations_in_progress ON conversations USING btree (expires_at) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX conversations_incoming_claim ON conversations USING btree (incoming_claim_id) WHERE (incoming_claim_id IS NOT NULL);
CREATE INDEX conversations_of_campaign_ended ON conversations USING btree (campaign_id, charge) WHERE ((campaign_id IS NOT NULL) AND (ended_at IS NOT NULL));
CREATE INDEX conversations_of_campaign_in_progress ON conversations USING btree (campaign_id) WHERE ((campaign_id IS NOT NULL) AND (ended_at IS NULL));
CREATE INDEX conversations_workspace_id_created_at_idx ON conversations USING btree (workspace_id, created_at);

CREATE TABLE credit_entries (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  workspace_id uuid NOT NULL,
  conversation_id uuid,
  kind text NOT NULL,
  amount integer NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT credit_entries_pkey PRIMARY KEY (id),
  CONSTRAINT credit_entries_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT credit_entries_kind_known CHECK ((kind = ANY (ARRAY['grant'::text, 'hold'::text, 'release'::text, 'charge'::text, 'correction'::text])))
);
CREATE UNIQUE INDEX credit_entries_once_per_call ON credit_entries USING btree (conversation_id, kind) WHERE (conversation_id IS NOT NULL);
CREATE INDEX credit_entries_workspace_id_idx ON credit_entries USING btree (workspace_id);

CREATE TABLE do_not_call (
  workspace_id uuid NOT NULL,
  phone_number text NOT NULL,
  reason text,
  source text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  expires_at timestamp(3) with time zone,
  created_by jsonb,
  CONSTRAINT do_not_call_pkey PRIMARY KEY (workspace_id, phone_number),
  CONSTRAINT do_not_call_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT do_not_call_source_known CHECK ((source = ANY (ARRAY['api'::text, 'import'::text, 'opt_out'::text])))
);
CREATE INDEX do_not_call_expires_at_idx ON do_not_call USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX do_not_call_workspace_id_created_at_idx ON do_not_call USING btree (workspace_id, created_at);

CREATE TABLE due_findings (
  conversation_id uuid NOT NULL,
  due_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT due_findings_pkey PRIMARY KEY (conversation_id),
  CONSTRAINT due_findings_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE
);
CREATE INDEX due_findings_due_at_idx ON due_findings USING btree (due_at);

CREATE TABLE erasures (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  phone_number text,
  status text DEFAULT 'pending'::text NOT NULL,
  revision integer DEFAULT 1 NOT NULL,
  calls integer DEFAULT 0 NOT NULL,
  recipients integer DEFAULT 0 NOT NULL,
  calls_under_way integer DEFAULT 0 NOT NULL,
  kept_do_not_call boolean DEFAULT false NOT NULL,
  due_at timestamp(3) with time zone DEFAULT now(),
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  completed_at timestamp(3) with time zone,
  CONSTRAINT erasures_pkey PRIMARY KEY (id),
  CONSTRAINT erasures_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT erasures_completed_forgets_number CHECK ((((status = 'completed'::text) = (phone_number IS NULL)) AND ((status = 'completed'::text) = (due_at IS NULL)) AND ((status = 'completed'::text) = (completed_at IS NOT NULL)))),
  CONSTRAINT erasures_status_known CHECK ((status = ANY (ARRAY['pending'::text, 'running'::text, 'waiting'::text, 'completed'::text])))
);
CREATE INDEX erasures_completed_at_idx ON erasures USING btree (completed_at) WHERE (completed_at IS NOT NULL);
CREATE UNIQUE INDEX erasures_open ON erasures USING btree (workspace_id, phone_number) WHERE (phone_number IS NOT NULL);
CREATE INDEX erasures_workspace_id_created_at_idx ON erasures USING btree (workspace_id, created_at);

CREATE TABLE idempotency_keys (
  workspace_id uuid NOT NULL,
  endpoint text NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  owner uuid NOT NULL,
  locked_until timestamp(3) with time zone,
  answer json,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (workspace_id, endpoint, key),
  CONSTRAINT idempotency_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT idempotency_keys_answered_or_locked CHECK (((answer IS NOT NULL) OR (locked_until IS NOT NULL)))
);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys USING btree (created_at);

CREATE TABLE knowledge_base_assignments (
  agent_id uuid NOT NULL,
  knowledge_base_id uuid NOT NULL,
  "position" integer NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT knowledge_base_assignments_pkey PRIMARY KEY (agent_id, knowledge_base_id),
  CONSTRAINT knowledge_base_assignments_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id) ON DELETE CASCADE,
  CONSTRAINT knowledge_base_assignments_knowledge_base_id_fkey FOREIGN KEY (knowledge_base_id) REFERENCES knowledge_bases(id) ON DELETE CASCADE
);
CREATE INDEX knowledge_base_assignments_knowledge_base_id_idx ON knowledge_base_assignments USING btree (knowledge_base_id);

CREATE TABLE knowledge_base_files (
  key uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT knowledge_base_files_pkey PRIMARY KEY (key)
);

CREATE TABLE knowledge_base_passages (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  knowledge_base_id uuid NOT NULL,
  source_id uuid NOT NULL,
  "position" integer NOT NULL,
  text text NOT NULL,
  search tsvector NOT NULL,
  page integer,
  CONSTRAINT knowledge_base_passages_pkey PRIMARY KEY (id),
  CONSTRAINT knowledge_base_passages_source_id_fkey FOREIGN KEY (source_id) REFERENCES knowledge_base_sources(id) ON DELETE CASCADE
);
CREATE INDEX knowledge_base_passages_search_idx ON knowledge_base_passages USING gin (knowledge_base_id, search);
CREATE INDEX knowledge_base_passages_source_id_idx ON knowledge_base_passages USING btree (source_id);

CREATE TABLE knowledge_base_sources (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  knowledge_base_id uuid NOT NULL,
  "position" integer NOT NULL,
  type text NOT NULL,
  name text NOT NULL,
  url text DEFAULT ''::text NOT NULL,
  status text DEFAULT 'pending'::text NOT NULL,
  reason text,
  file_name text DEFAULT ''::text NOT NULL,
  file_type text DEFAULT ''::text NOT NULL,
  file_key uuid,
  text text,
  passages integer DEFAULT 0 NOT NULL,
  bytes bigint DEFAULT '0'::bigint NOT NULL,
  indexing_run uuid,
  public_id uuid NOT NULL,
  is_replacement boolean DEFAULT false NOT NULL,
  CONSTRAINT knowledge_base_sources_pkey PRIMARY KEY (id),
  CONSTRAINT knowledge_base_sources_file_key_fkey FOREIGN KEY (file_key) REFERENCES knowledge_base_files(key),
  CONSTRAINT knowledge_base_sources_knowledge_base_id_fkey FOREIGN KEY (knowledge_base_id) REFERENCES knowledge_bases(id) ON DELETE CASCADE,
  CONSTRAINT knowledge_base_sources_failed_has_reason CHECK (((status = 'failed'::text) = (reason IS NOT NULL))),
  CONSTRAINT knowledge_base_sources_replacement_not_completed CHECK ((NOT (is_replacement AND (status = 'completed'::text)))),
  CONSTRAINT knowledge_base_sources_status_known CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'completed'::text, 'failed'::text]))),
  CONSTRAINT knowledge_base_sources_type_known CHECK ((type = ANY (ARRAY['link'::text, 'pdf'::text, 'docx'::text, 'txt'::text, 'md'::text, 'csv'::text, 'html'::text])))
);
CREATE INDEX knowledge_base_sources_file_key_idx ON knowledge_base_sources USING btree (file_key) WHERE (file_key IS NOT NULL);
CREATE INDEX knowledge_base_sources_knowledge_base_id_position_idx ON knowledge_base_sources USING btree (knowledge_base_id, "position");
CREATE UNIQUE INDEX knowledge_base_sources_public_id_is_replacement_idx ON knowledge_base_sources USING btree (public_id, is_replacement);
CREATE INDEX knowledge_base_sources_workspace_id_bytes_idx ON knowledge_base_sources USING btree (workspace_id, bytes);

CREATE TABLE knowledge_base_words (
  source_id uuid NOT NULL,
  word text NOT NULL,
  knowledge_base_id uuid NOT NULL,
  passages integer NOT NULL,
  CONSTRAINT knowledge_base_words_pkey PRIMARY KEY (source_id, word),
  CONSTRAINT knowledge_base_words_source_id_fkey FOREIGN KEY (source_id) REFERENCES knowledge_base_sources(id) ON DELETE CASCADE
);
CREATE INDEX knowledge_base_words_word_idx ON knowledge_base_words USING gin (knowledge_base_id, word gin_trgm_ops);

CREATE TABLE knowledge_bases (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  name text NOT NULL,
  description text DEFAULT ''::text NOT NULL,
  type text NOT NULL,
  status boolean DEFAULT true NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT knowledge_bases_pkey PRIMARY KEY (id),
  CONSTRAINT knowledge_bases_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT knowledge_bases_type_known CHECK ((type = ANY (ARRAY['link'::text, 'documents'::text])))
);
CREATE INDEX knowledge_bases_workspace_id_created_at_idx ON knowledge_bases USING btree (workspace_id, created_at);
CREATE UNIQUE INDEX knowledge_bases_workspace_id_name_idx ON knowledge_bases USING btree (workspace_id, lower(name));

CREATE TABLE measurement_rollups (
  workspace_id uuid NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  agent_id uuid NOT NULL,
  agent_version integer NOT NULL,
  campaign_id uuid NOT NULL,
  measure text NOT NULL,
  amount bigint NOT NULL,
  CONSTRAINT measurement_rollups_pkey PRIMARY KEY (workspace_id, starts_at, agent_id, agent_version, campaign_id, measure),
  CONSTRAINT measurement_rollups_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

CREATE TABLE notes (
  workspace_id uuid NOT NULL,
  phone_number text NOT NULL,
  text text NOT NULL,
  updated_by jsonb NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT notes_pkey PRIMARY KEY (workspace_id, phone_number),
  CONSTRAINT notes_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT notes_not_empty CHECK ((text <> ''::text))
);

CREATE TABLE people (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  name text NOT NULL,
  email text,
  role text NOT NULL,
  issuer text,
  subject text,
  joined_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  invited_by jsonb,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT people_pkey PRIMARY KEY (id),
  CONSTRAINT people_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT people_identity_complete CHECK (((issuer IS NULL) = (subject IS NULL))),
  CONSTRAINT people_role_known CHECK ((role = ANY ('{admin,operator,viewer}'::text[])))
);
CREATE INDEX people_email_idx ON people USING btree (email);
CREATE UNIQUE INDEX people_id_workspace_id_idx ON people USING btree (id, workspace_id);
CREATE INDEX people_issuer_subject_idx ON people USING btree (issuer, subject);
CREATE UNIQUE INDEX people_workspace_id_email_idx ON people USING btree (workspace_id, email);
CREATE UNIQUE INDEX people_workspace_id_issuer_subject_idx ON people USING btree (workspace_id, issuer, subject);

CREATE TABLE phone_numbers (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  number text NOT NULL,
  agent_id uuid,
  type text DEFAULT 'inbound'::text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT phone_numbers_pkey PRIMARY KEY (id),
  CONSTRAINT phone_numbers_agent_id_workspace_id_fkey FOREIGN KEY (agent_id, workspace_id) REFERENCES agents(id, workspace_id),
  CONSTRAINT phone_numbers_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT phone_numbers_type_known CHECK ((type = ANY (ARRAY['inbound'::text, 'outbound'::text])))
);
CREATE UNIQUE INDEX phone_numbers_agent_id_idx ON phone_numbers USING btree (agent_id);
CREATE UNIQUE INDEX phone_numbers_number_idx ON phone_numbers USING btree (number);
CREATE INDEX phone_numbers_workspace_id_created_at_idx ON phone_numbers USING btree (workspace_id, created_at);

CREATE TABLE prompt_templates (
  id text NOT NULL,
  workspace_id uuid,
  name text NOT NULL,
  category text[] DEFAULT '{}'::text[] NOT NULL,
  greeting text NOT NULL,
  prompt text NOT NULL,
  dynamic_variables text[] DEFAULT '{}'::text[] NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT prompt_templates_pkey PRIMARY KEY (id),
  CONSTRAINT prompt_templates_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX prompt_templates_workspace_id_idx ON prompt_templates USING btree (workspace_id);

CREATE TABLE recipient_search_blocks (
  campaign_id uuid NOT NULL,
  block integer NOT NULL,
  numbers text NOT NULL,
  names text NOT NULL,
  irregular text NOT NULL,
  CONSTRAINT recipient_search_blocks_pkey PRIMARY KEY (campaign_id, block),
  CONSTRAINT recipient_search_blocks_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON DELETE CASCADE
);

CREATE TABLE recording_files (
  key uuid NOT NULL,
  workspace_id uuid NOT NULL,
  conversation_id uuid,
  content_type text NOT NULL,
  bytes bigint NOT NULL,
  uploaded_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT recording_files_pkey PRIMARY KEY (key),
  CONSTRAINT recording_files_conversation_id_key UNIQUE (conversation_id),
  CONSTRAINT recording_files_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES call_recordings(conversation_id) ON DELETE SET NULL,
  CONSTRAINT recording_files_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT recording_files_type_known CHECK ((content_type = ANY ('{audio/wav,audio/mpeg}'::text[])))
);
CREATE INDEX recording_files_without_recording ON recording_files USING btree (created_at) WHERE (conversation_id IS NULL);
CREATE INDEX recording_files_workspace_id_idx ON recording_files USING btree (workspace_id);

CREATE TABLE rehearsal_results (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  run_id uuid NOT NULL,
  "position" integer NOT NULL,
  name text NOT NULL,
  repeat integer NOT NULL,
  seed integer NOT NULL,
  definition jsonb,
  status text DEFAULT 'queued'::text NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  published_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  claim_id uuid,
  worker_id text,
  token uuid,
  accepted_at timestamp(3) with time zone,
  heartbeat_at timestamp(3) with time zone,
  over_at timestamp(3) with time zone,
  facts jsonb,
  checks jsonb,
  error text,
  tokens integer DEFAULT 0 NOT NULL,
  ended_at timestamp(3) with time zone,
  against boolean DEFAULT false NOT NULL,
  person_number text,
  joined_at timestamp(3) with time zone,
  tool_uses jsonb DEFAULT '[]'::jsonb NOT NULL,
  reported jsonb,
  CONSTRAINT rehearsal_results_pkey PRIMARY KEY (id),
  CONSTRAINT rehearsal_results_run_id_fkey FOREIGN KEY (run_id) REFERENCES rehearsal_runs(id) ON DELETE CASCADE,
  CONSTRAINT rehearsal_results_end_fits_status CHECK (((ended_at IS NULL) = (status = ANY (ARRAY['queued'::text, 'offered'::text, 'playing'::text])))),
  CONSTRAINT rehearsal_results_status_known CHECK ((status = ANY (ARRAY['queued'::text, 'offered'::text, 'playing'::text, 'passed'::text, 'failed'::text, 'error'::text])))
);
CREATE UNIQUE INDEX rehearsal_results_run_id_name_repeat_against_idx ON rehearsal_results USING btree (run_id, name, repeat, against);
CREATE INDEX rehearsal_results_tokens_idx ON rehearsal_results USING btree (workspace_id, ended_at, tokens) WHERE (tokens > 0);
CREATE INDEX rehearsal_results_unfinished_idx ON rehearsal_results USING btree (workspace_id, status, run_id, "position") WHERE (ended_at IS NULL);
CREATE INDEX rehearsal_results_workspace_id_ended_at_idx ON rehearsal_results USING btree (workspace_id, ended_at);
CREATE INDEX rehearsal_results_workspace_id_person_number_idx ON rehearsal_results USING btree (workspace_id, person_number) WHERE (person_number IS NOT NULL);

CREATE TABLE rehearsal_runs (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  agent_version integer NOT NULL,
  cause text NOT NULL,
  mode text NOT NULL,
  seed integer NOT NULL,
  repeat integer NOT NULL,
  max_tokens integer NOT NULL,
  status text DEFAULT 'queued'::text NOT NULL,
  created_by text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  ended_at timestamp(3) with time zone,
  report_sha256 text,
  against_version integer,
  fields text[],
  configuration jsonb,
  counted jsonb,
  CONSTRAINT rehearsal_runs_pkey PRIMARY KEY (id),
  CONSTRAINT rehearsal_runs_agent_id_workspace_id_fkey FOREIGN KEY (agent_id, workspace_id) REFERENCES agents(id, workspace_id) ON DELETE CASCADE,
  CONSTRAINT rehearsal_runs_cause_known CHECK ((cause = ANY (ARRAY['api'::text, 'publish'::text]))),
  CONSTRAINT rehearsal_runs_mode_known CHECK ((mode = ANY (ARRAY['text'::text, 'audio'::text, 'joined'::text]))),
  CONSTRAINT rehearsal_runs_status_known CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'passed'::text, 'failed'::text, 'error'::text, 'cancelled'::text])))
);
CREATE INDEX rehearsal_runs_ended_at_idx ON rehearsal_runs USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX rehearsal_runs_open_idx ON rehearsal_runs USING btree (workspace_id) WHERE (ended_at IS NULL);
CREATE INDEX rehearsal_runs_workspace_id_created_at_idx ON rehearsal_runs USING btree (workspace_id, created_at);

CREATE TABLE rehearsals (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  name text NOT NULL,
  enabled boolean NOT NULL,
  definition jsonb NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  person_number text,
  updated_by jsonb,
  CONSTRAINT rehearsals_pkey PRIMARY KEY (id),
  CONSTRAINT rehearsals_agent_id_workspace_id_fkey FOREIGN KEY (agent_id, workspace_id) REFERENCES agents(id, workspace_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX rehearsals_agent_id_name_idx ON rehearsals USING btree (agent_id, name);
CREATE INDEX rehearsals_workspace_id_person_number_idx ON rehearsals USING btree (workspace_id, person_number) WHERE (person_number IS NOT NULL);

CREATE TABLE removed_identities (
  workspace_id uuid NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  removed_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT removed_identities_pkey PRIMARY KEY (workspace_id, issuer, subject),
  CONSTRAINT removed_identities_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

CREATE TABLE replica_timestamps (
  id smallint DEFAULT '1'::smallint NOT NULL,
  written_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT replica_timestamps_pkey PRIMARY KEY (id),
  CONSTRAINT replica_timestamps_one_row CHECK ((id = 1))
);

CREATE TABLE saved_views (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  page text NOT NULL,
  name text NOT NULL,
  query text NOT NULL,
  period text,
  updated_by jsonb NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT saved_views_pkey PRIMARY KEY (id),
  CONSTRAINT saved_views_page_name UNIQUE (workspace_id, page, name),
  CONSTRAINT saved_views_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

CREATE TABLE sessions (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  hash bytea NOT NULL,
  credential_kind text NOT NULL,
  key_id uuid,
  user_id text NOT NULL,
  scopes text[],
  issued_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  ip text,
  name text,
  link_id uuid,
  person_id uuid,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_key_id_workspace_id_fkey FOREIGN KEY (key_id, workspace_id) REFERENCES api_keys(id, workspace_id),
  CONSTRAINT sessions_person_id_workspace_id_fkey FOREIGN KEY (person_id, workspace_id) REFERENCES people(id, workspace_id) ON DELETE CASCADE,
  CONSTRAINT sessions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT sessions_credential_known CHECK ((credential_kind = ANY ('{api-key,token,link}'::text[]))),
  CONSTRAINT sessions_of_keys CHECK (((credential_kind <> 'api-key'::text) OR (key_id IS NOT NULL)))
);
CREATE UNIQUE INDEX sessions_hash_idx ON sessions USING btree (hash);
CREATE INDEX sessions_key_id_idx ON sessions USING btree (key_id);
CREATE INDEX sessions_person_id_idx ON sessions USING btree (person_id);
CREATE INDEX sessions_workspace_id_idx ON sessions USING btree (workspace_id);

CREATE TABLE tool_invocations (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  tool_id uuid,
  tool text NOT NULL,
  key text NOT NULL,
  same_as text,
  arguments jsonb NOT NULL,
  state text NOT NULL,
  result jsonb,
  error text,
  variables jsonb DEFAULT '{}'::jsonb NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  repeats integer DEFAULT 0 NOT NULL,
  lease_until timestamp(3) with time zone NOT NULL,
  asked_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  settled_at timestamp(3) with time zone,
  settled_by text,
  note text DEFAULT ''::text NOT NULL,
  lease_ms integer NOT NULL,
  CONSTRAINT tool_invocations_pkey PRIMARY KEY (id),
  CONSTRAINT tool_invocations_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  CONSTRAINT tool_invocations_settled CHECK ((((state = 'running'::text) = (settled_at IS NULL)) AND ((settled_at IS NULL) = (settled_by IS NULL)))),
  CONSTRAINT tool_invocations_settled_by_known CHECK ((settled_by = ANY ('{server,person}'::text[]))),
  CONSTRAINT tool_invocations_state_known CHECK ((state = ANY ('{running,done,refused,failed,unknown}'::text[])))
);
CREATE UNIQUE INDEX tool_invocations_key ON tool_invocations USING btree (conversation_id, key);
CREATE INDEX tool_invocations_listed ON tool_invocations USING btree (workspace_id, asked_at, id);
CREATE UNIQUE INDEX tool_invocations_once ON tool_invocations USING btree (conversation_id, same_as) WHERE (state = ANY (ARRAY['running'::text, 'done'::text, 'unknown'::text]));
CREATE INDEX tool_invocations_running ON tool_invocations USING btree (lease_until) WHERE (state = 'running'::text);
CREATE INDEX tool_invocations_unknown ON tool_invocations USING btree (workspace_id, asked_at) WHERE (state = 'unknown'::text);

CREATE TABLE tools (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  name text NOT NULL,
  definition jsonb NOT NULL,
  secrets jsonb DEFAULT '{}'::jsonb NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_by jsonb,
  CONSTRAINT tools_pkey PRIMARY KEY (id),
  CONSTRAINT tools_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX tools_workspace_id_name_idx ON tools USING btree (workspace_id, name);

CREATE TABLE transcript_turns (
  conversation_id uuid NOT NULL,
  sequence integer NOT NULL,
  speaker text NOT NULL,
  text text NOT NULL,
  started_at timestamp(3) with time zone NOT NULL,
  ended_at timestamp(3) with time zone,
  tool jsonb,
  CONSTRAINT transcript_turns_pkey PRIMARY KEY (conversation_id, sequence),
  CONSTRAINT transcript_turns_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES call_transcripts(conversation_id) ON DELETE CASCADE,
  CONSTRAINT transcript_turns_speaker_known CHECK ((speaker = ANY ('{agent,user,tool,system}'::text[])))
);

CREATE TABLE users (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX users_workspace_id_idx ON users USING btree (workspace_id);

CREATE TABLE webhook_attempts (
  delivery_id uuid NOT NULL,
  number integer NOT NULL,
  started_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  duration_ms integer,
  status_code integer,
  error text,
  answer_headers jsonb,
  answer_body text,
  CONSTRAINT webhook_attempts_pkey PRIMARY KEY (delivery_id, number),
  CONSTRAINT webhook_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries(id) ON DELETE CASCADE
);

CREATE TABLE webhook_deliveries (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  conversation_id uuid,
  ordering_key uuid NOT NULL,
  sequence bigint DEFAULT nextval('webhook_deliveries_sequence_seq'::regclass) NOT NULL,
  type text NOT NULL,
  url text NOT NULL,
  data jsonb,
  status text DEFAULT 'pending'::text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  failures integer DEFAULT 0 NOT NULL,
  next_attempt_at timestamp(3) with time zone DEFAULT now(),
  give_up_at timestamp(3) with time zone NOT NULL,
  leased_until timestamp(3) with time zone,
  last_status_code integer,
  last_error text,
  series integer DEFAULT 1 NOT NULL,
  traceparent text,
  given_up_at timestamp(3) with time zone,
  dismissed_at timestamp(3) with time zone,
  event_id uuid,
  endpoint_id uuid,
  is_erased boolean DEFAULT false NOT NULL,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_deliveries_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  CONSTRAINT webhook_deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES webhook_events(id) ON DELETE CASCADE,
  CONSTRAINT webhook_deliveries_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT webhook_deliveries_have_data CHECK (((data IS NOT NULL) OR (event_id IS NOT NULL))),
  CONSTRAINT webhook_deliveries_leased_is_pending CHECK (((status = 'pending'::text) OR (leased_until IS NULL))),
  CONSTRAINT webhook_deliveries_pending_is_due CHECK (((status = 'pending'::text) = (next_attempt_at IS NOT NULL))),
  CONSTRAINT webhook_deliveries_status_known CHECK ((status = ANY (ARRAY['pending'::text, 'held'::text, 'delivered'::text, 'failed'::text])))
);
CREATE INDEX webhook_deliveries_conversation_id_idx ON webhook_deliveries USING btree (conversation_id);
CREATE INDEX webhook_deliveries_created_at_idx ON webhook_deliveries USING btree (created_at);
CREATE INDEX webhook_deliveries_event_id_idx ON webhook_deliveries USING btree (event_id);
CREATE INDEX webhook_deliveries_given_up ON webhook_deliveries USING btree (workspace_id, given_up_at) WHERE (status = 'failed'::text);
CREATE INDEX webhook_deliveries_in_order ON webhook_deliveries USING btree (ordering_key, sequence) WHERE (status = 'pending'::text);
CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries USING btree (endpoint_id, status, sequence) WHERE ((endpoint_id IS NOT NULL) AND (NOT (status = 'delivered'::text)));
CREATE UNIQUE INDEX webhook_deliveries_started_once ON webhook_deliveries USING btree (conversation_id) WHERE ((type = 'call.started'::text) AND (endpoint_id IS NULL));
CREATE INDEX webhook_deliveries_test_events ON webhook_deliveries USING btree (workspace_id, created_at) WHERE (type = 'webhook.test'::text);
CREATE INDEX webhook_deliveries_workspace_id_sequence_idx ON webhook_deliveries USING btree (workspace_id, sequence);
CREATE TRIGGER webhook_deliveries_forget_answers AFTER UPDATE OF data, is_erased ON webhook_deliveries FOR EACH ROW WHEN (((old.data IS DISTINCT FROM new.data) OR (old.is_erased <> new.is_erased))) EXECUTE FUNCTION forget_answers_of_delivery();

CREATE TABLE webhook_endpoints (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  agent_ids uuid[],
  description text DEFAULT ''::text NOT NULL,
  status text DEFAULT 'ok'::text NOT NULL,
  status_since timestamp(3) with time zone DEFAULT now() NOT NULL,
  paused_reason text,
  failures integer DEFAULT 0 NOT NULL,
  probes integer DEFAULT 0 NOT NULL,
  probe_at timestamp(3) with time zone,
  last_delivered_at timestamp(3) with time zone,
  last_error text,
  secret text NOT NULL,
  previous_secret text,
  previous_expires_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_endpoints_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT webhook_endpoints_agents_not_empty CHECK ((agent_ids <> '{}'::uuid[])),
  CONSTRAINT webhook_endpoints_failing_is_probed CHECK (((status = 'failing'::text) = (probe_at IS NOT NULL))),
  CONSTRAINT webhook_endpoints_paused_has_reason CHECK (((status = 'paused'::text) = (paused_reason IS NOT NULL))),
  CONSTRAINT webhook_endpoints_status_known CHECK ((status = ANY (ARRAY['ok'::text, 'failing'::text, 'paused'::text, 'off'::text])))
);
CREATE INDEX webhook_endpoints_workspace_id_created_at_idx ON webhook_endpoints USING btree (workspace_id, created_at);

CREATE TABLE webhook_events (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  conversation_id uuid,
  type text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  data jsonb NOT NULL,
  traceparent text,
  CONSTRAINT webhook_events_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_events_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  CONSTRAINT webhook_events_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX webhook_events_conversation_id_idx ON webhook_events USING btree (conversation_id);
CREATE INDEX webhook_events_created_at_idx ON webhook_events USING btree (created_at);
CREATE UNIQUE INDEX webhook_events_start_once ON webhook_events USING btree (conversation_id) WHERE (type = 'call.started'::text);

CREATE TABLE webhook_secrets (
  workspace_id uuid NOT NULL,
  secret text NOT NULL,
  previous_secret text,
  previous_expires_at timestamp(3) with time zone,
  CONSTRAINT webhook_secrets_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT webhook_secrets_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT webhook_secrets_previous_expires CHECK (((previous_secret IS NULL) = (previous_expires_at IS NULL)))
);

CREATE TABLE workers (
  id text NOT NULL,
  name text NOT NULL,
  version text NOT NULL,
  capacity integer NOT NULL,
  calls integer NOT NULL,
  last_seen_at timestamp(3) with time zone NOT NULL,
  providers jsonb DEFAULT '[]'::jsonb NOT NULL,
  CONSTRAINT workers_pkey PRIMARY KEY (id)
);

CREATE TABLE workspace_retention (
  workspace_id uuid NOT NULL,
  transcripts_days integer,
  recordings_days integer,
  calls_days integer,
  transcripts_until timestamp(3) with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
  recordings_until timestamp(3) with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
  revision integer DEFAULT 1 NOT NULL,
  changed_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT workspace_retention_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT workspace_retention_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  CONSTRAINT workspace_retention_days CHECK (((LEAST(transcripts_days, recordings_days, calls_days) >= 1) AND (GREATEST(transcripts_days, recordings_days, calls_days) <= 36500)))
);

CREATE TABLE workspaces (
  id uuid NOT NULL,
  name text NOT NULL,
  subscription_status text DEFAULT 'active'::text NOT NULL,
  credits integer DEFAULT 0 NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  calls_under_way integer DEFAULT 0 NOT NULL,
  suspended_at timestamp(3) with time zone,
  tokens_not_before timestamp(3) with time zone,
  spent_on date,
  spent_credits integer DEFAULT 0 NOT NULL,
  quotas_agents integer,
  quotas_knowledge_base_bytes bigint,
  quotas_api_keys integer,
  quotas_phone_numbers integer,
  quotas_recipients integer,
  quotas_concurrent_calls integer,
  quotas_requests_per_minute integer,
  quotas_credits_per_day integer,
  quotas_recording_bytes bigint,
  publish text DEFAULT 'automatic'::text NOT NULL,
  CONSTRAINT workspaces_pkey PRIMARY KEY (id),
  CONSTRAINT workspaces_calls_counted CHECK ((calls_under_way >= 0)),
  CONSTRAINT workspaces_publish_known CHECK ((publish = ANY (ARRAY['automatic'::text, 'gated'::text]))),
  CONSTRAINT workspaces_quotas_not_negative CHECK ((LEAST((quotas_agents)::bigint, quotas_knowledge_base_bytes, quotas_recording_bytes, (quotas_api_keys)::bigint, (quotas_phone_numbers)::bigint, (quotas_recipients)::bigint, (quotas_concurrent_calls)::bigint, (quotas_requests_per_minute)::bigint, (quotas_credits_per_day)::bigint) >= 0)),
  CONSTRAINT workspaces_subscription_known CHECK ((subscription_status = ANY (ARRAY['active'::text, 'inactive'::text])))
);
