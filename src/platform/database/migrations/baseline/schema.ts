/** The schema of release 1.1.0: tables with their indexes, then foreign keys, functions and triggers. */
export const SCHEMA_OF_1_1_0 = `
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE TABLE agent_call_totals (
  agent_id uuid NOT NULL,
  calls integer NOT NULL,
  successful integer NOT NULL,
  seconds bigint NOT NULL,
  last_ended_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT agent_call_totals_pkey PRIMARY KEY (agent_id)
) WITH (fillfactor='50');

CREATE TABLE agent_versions (
  agent_id uuid NOT NULL,
  version integer NOT NULL,
  workspace_id uuid NOT NULL,
  snapshot jsonb NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  created_by jsonb,
  restored_from integer,
  CONSTRAINT agent_versions_pkey PRIMARY KEY (agent_id, version, workspace_id)
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
  CONSTRAINT agents_pkey PRIMARY KEY (id),
  CONSTRAINT agents_deployment_status_known CHECK ((deployment_status = ANY (ARRAY['draft'::text, 'deploying'::text, 'active'::text, 'failed'::text]))),
  CONSTRAINT agents_type_known CHECK ((type = ANY (ARRAY['inbound'::text, 'outbound'::text, 'chat'::text, 'hybrid'::text])))
);
CREATE UNIQUE INDEX agents_id_workspace_id_idx ON agents (id, workspace_id);
CREATE INDEX agents_workspace_id_created_at_idx ON agents (workspace_id, created_at);

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
  CONSTRAINT api_keys_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX api_keys_hash_idx ON api_keys (hash);
CREATE UNIQUE INDEX api_keys_id_workspace_id_idx ON api_keys (id, workspace_id);
CREATE INDEX api_keys_link_id_idx ON api_keys (link_id);
CREATE INDEX api_keys_parent_id_idx ON api_keys (parent_id);
CREATE INDEX api_keys_workspace_id_idx ON api_keys (workspace_id);

CREATE TABLE audit_entries (
  id bigint GENERATED ALWAYS AS IDENTITY,
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
  CONSTRAINT audit_entries_actor_known CHECK ((actor_kind = ANY ('{key,token,session,operator,runtime}'::text[])))
);
CREATE INDEX audit_entries_workspace_id_actor_id_created_at_id_idx ON audit_entries (workspace_id, actor_id, created_at, id);
CREATE INDEX audit_entries_workspace_id_created_at_id_idx ON audit_entries (workspace_id, created_at, id);
CREATE INDEX audit_entries_workspace_id_request_id_idx ON audit_entries (workspace_id, request_id);
CREATE INDEX audit_entries_workspace_id_target_id_created_at_id_idx ON audit_entries (workspace_id, target_id, created_at, id);

CREATE TABLE call_analyses (
  conversation_id uuid NOT NULL,
  fields jsonb NOT NULL,
  opt_out boolean DEFAULT false NOT NULL,
  reported_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT call_analyses_pkey PRIMARY KEY (conversation_id)
);

CREATE TABLE call_duration_corrections (
  workspace_id uuid NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  duration_sec integer NOT NULL,
  connected integer NOT NULL,
  failed integer NOT NULL,
  CONSTRAINT call_duration_corrections_pkey PRIMARY KEY (workspace_id, starts_at, duration_sec)
);

CREATE TABLE call_events (
  id bigint GENERATED ALWAYS AS IDENTITY,
  conversation_id uuid NOT NULL,
  kind text NOT NULL,
  data jsonb DEFAULT '{}'::jsonb NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT call_events_pkey PRIMARY KEY (id),
  CONSTRAINT call_events_kind_known CHECK ((kind = ANY ('{published,cancelled,corrected}'::text[])))
);
CREATE INDEX call_events_conversation_id_idx ON call_events (conversation_id);
CREATE INDEX call_events_corrected ON call_events (created_at) WHERE (kind = 'corrected'::text);

CREATE TABLE call_recordings (
  conversation_id uuid NOT NULL,
  url text NOT NULL,
  duration_sec double precision,
  reported_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT call_recordings_pkey PRIMARY KEY (conversation_id)
);

CREATE TABLE call_rollup_states (
  workspace_id uuid NOT NULL,
  rolled_up_until timestamp(3) with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
  revision bigint DEFAULT '0'::bigint NOT NULL,
  segmented_until timestamp(3) with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
  CONSTRAINT call_rollup_states_pkey PRIMARY KEY (workspace_id)
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
  CONSTRAINT call_rollups_pkey PRIMARY KEY (subject_id, bucket_minutes, starts_at, call_type)
);

CREATE TABLE call_segment_durations (
  workspace_id uuid NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  connected integer[] NOT NULL,
  failed integer[] NOT NULL,
  CONSTRAINT call_segment_durations_pkey PRIMARY KEY (workspace_id, starts_at)
) WITH (toast_tuple_target='8160');
ALTER TABLE call_segment_durations ALTER COLUMN connected SET STORAGE EXTERNAL;
ALTER TABLE call_segment_durations ALTER COLUMN failed SET STORAGE EXTERNAL;

CREATE TABLE call_segments (
  workspace_id uuid NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  ends_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT call_segments_pkey PRIMARY KEY (workspace_id, starts_at)
);

CREATE TABLE call_transcripts (
  conversation_id uuid NOT NULL,
  turns integer DEFAULT 0 NOT NULL,
  truncated boolean DEFAULT false NOT NULL,
  bytes integer DEFAULT 0 NOT NULL,
  CONSTRAINT call_transcripts_pkey PRIMARY KEY (conversation_id)
);

CREATE TABLE call_value_corrections (
  value_id uuid NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  connected integer NOT NULL,
  failed integer NOT NULL,
  seconds bigint NOT NULL,
  credits bigint NOT NULL,
  CONSTRAINT call_value_corrections_pkey PRIMARY KEY (value_id, starts_at)
);

CREATE TABLE call_value_rollups (
  value_id uuid NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  connected integer NOT NULL,
  failed integer NOT NULL,
  seconds bigint NOT NULL,
  credits bigint NOT NULL,
  CONSTRAINT call_value_rollups_pkey PRIMARY KEY (value_id, starts_at)
);

CREATE TABLE call_values (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  dimension text NOT NULL,
  value text NOT NULL,
  CONSTRAINT call_values_pkey PRIMARY KEY (id)
);
CREATE INDEX call_values_workspace_id_dimension_idx ON call_values (workspace_id, dimension);

CREATE TABLE call_warnings (
  conversation_id uuid NOT NULL,
  warnings jsonb NOT NULL,
  CONSTRAINT call_warnings_pkey PRIMARY KEY (conversation_id),
  CONSTRAINT call_warnings_limited CHECK ((jsonb_array_length(warnings) <= 20))
);

CREATE TABLE campaign_log (
  id bigint GENERATED ALWAYS AS IDENTITY,
  campaign_id uuid NOT NULL,
  at timestamp(3) with time zone DEFAULT now() NOT NULL,
  event text NOT NULL,
  actor jsonb,
  text text NOT NULL,
  data jsonb DEFAULT '{}'::jsonb NOT NULL,
  CONSTRAINT campaign_log_pkey PRIMARY KEY (id),
  CONSTRAINT campaign_log_event_known CHECK ((event = ANY (ARRAY['created'::text, 'begun'::text, 'paused'::text, 'resumed'::text, 'cancelled'::text, 'changed'::text, 'recipient_removed'::text, 'waiting'::text, 'went_on'::text, 'expired'::text, 'completed'::text, 'failed'::text])))
);
CREATE INDEX campaign_log_campaign_id_id_idx ON campaign_log (campaign_id, id);

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
  CONSTRAINT campaign_recipients_skipped_known CHECK ((skipped = ANY (ARRAY['do_not_call'::text, 'removed'::text, 'expired'::text, 'cancelled'::text]))),
  CONSTRAINT campaign_recipients_status_known CHECK ((status = ANY (ARRAY['pending'::text, 'calling'::text, 'retrying'::text, 'lost'::text, 'disconnected'::text, 'failed'::text, 'skipped'::text])))
);
CREATE UNIQUE INDEX campaign_recipients_conversation ON campaign_recipients (conversation_id) WHERE (conversation_id IS NOT NULL);
CREATE INDEX campaign_recipients_in_calls ON campaign_recipients (campaign_id, status) WHERE (status = ANY (ARRAY['calling'::text, 'lost'::text]));
CREATE INDEX campaign_recipients_pending ON campaign_recipients (campaign_id, timezone, row_number) WHERE (status = 'pending'::text);
CREATE INDEX campaign_recipients_retrying ON campaign_recipients (campaign_id, timezone, next_attempt_at) WHERE (status = 'retrying'::text);

CREATE TABLE campaign_zones (
  campaign_id uuid NOT NULL,
  timezone text NOT NULL,
  opens_at timestamp(3) with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
  closes_at timestamp(3) with time zone DEFAULT 'infinity'::timestamp with time zone NOT NULL,
  CONSTRAINT campaign_zones_pkey PRIMARY KEY (campaign_id, timezone)
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
  CONSTRAINT campaigns_failed_has_reason CHECK (((status = 'failed'::text) = (failure_reason IS NOT NULL))),
  CONSTRAINT campaigns_has_recipients CHECK ((recipient_count > 0)),
  CONSTRAINT campaigns_open_is_not_over CHECK ((NOT (is_over AND (status = ANY (ARRAY['scheduled'::text, 'running'::text, 'paused'::text]))))),
  CONSTRAINT campaigns_recipients_add_up CHECK ((((((((count_pending + count_calling) + count_retrying) + count_lost) + count_disconnected) + count_failed) + count_skipped) = recipient_count)),
  CONSTRAINT campaigns_results_add_up CHECK (((count_voicemail + count_inactivity) <= count_disconnected)),
  CONSTRAINT campaigns_status_known CHECK ((status = ANY (ARRAY['scheduled'::text, 'running'::text, 'paused'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX campaigns_going_on ON campaigns (schedule_time) WHERE (NOT is_over);
CREATE INDEX campaigns_workspace_id_created_at_idx ON campaigns (workspace_id, created_at);

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
  CONSTRAINT console_links_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX console_links_hash_idx ON console_links (hash);
CREATE INDEX console_links_workspace_id_idx ON console_links (workspace_id);

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
  CONSTRAINT conversations_pkey PRIMARY KEY (id),
  CONSTRAINT conversations_call_type_known CHECK ((call_type = ANY ('{phonecall,webcall}'::text[]))),
  CONSTRAINT conversations_claimed_once CHECK (((status = ANY ('{accepted,connected}'::text[])) <= (token IS NOT NULL))),
  CONSTRAINT conversations_direction_known CHECK ((direction = ANY ('{outbound,inbound}'::text[]))),
  CONSTRAINT conversations_disconnect_reason_known CHECK ((disconnect_reason = ANY ('{user_hangup,agent_hangup,call_transfer,voicemail_reached,inactivity,max_duration_reached,dial_busy,dial_no_answer,dial_failed,invalid_destination,cancelled,error,dispatch_failed,dispatch_expired,worker_lost}'::text[]))),
  CONSTRAINT conversations_disconnected_by_known CHECK ((disconnected_by = ANY ('{user,agent,system}'::text[]))),
  CONSTRAINT conversations_ended_has_reason CHECK (((ended_at IS NULL) = (disconnect_reason IS NULL))),
  CONSTRAINT conversations_join_complete CHECK (((num_nulls(join_url, join_expires_at) = 2) OR ((num_nulls(join_url, join_expires_at) = 0) AND (length(join_url) <= 2048)))),
  CONSTRAINT conversations_over_has_end CHECK (((status = ANY ('{disconnected,failed}'::text[])) = (ended_at IS NOT NULL))),
  CONSTRAINT conversations_status_known CHECK ((status = ANY ('{queued,accepted,connected,disconnected,failed}'::text[])))
) WITH (fillfactor='80');
CREATE INDEX conversations_agent_id_created_at_idx ON conversations (agent_id, created_at);
CREATE INDEX conversations_ended_external_id ON conversations (hashtextextended((request ->> 'external_id'::text), (0)::bigint)) WHERE ((ended_at IS NOT NULL) AND ((request ->> 'external_id'::text) <> ''::text));
CREATE INDEX conversations_ended_line ON conversations (workspace_id, "right"(
CASE
    WHEN (incoming_claim_id IS NULL) THEN from_number
    ELSE to_number
END, 4)) WHERE (ended_at IS NOT NULL);
CREATE INDEX conversations_ended_person ON conversations (workspace_id, "right"(
CASE
    WHEN (incoming_claim_id IS NULL) THEN to_number
    ELSE from_number
END, 4)) WHERE (ended_at IS NOT NULL);
CREATE INDEX conversations_in_progress ON conversations (expires_at) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX conversations_incoming_claim ON conversations (incoming_claim_id) WHERE (incoming_claim_id IS NOT NULL);
CREATE INDEX conversations_of_campaign_ended ON conversations (campaign_id, charge) WHERE ((campaign_id IS NOT NULL) AND (ended_at IS NOT NULL));
CREATE INDEX conversations_of_campaign_in_progress ON conversations (campaign_id) WHERE ((campaign_id IS NOT NULL) AND (ended_at IS NULL));
CREATE INDEX conversations_workspace_id_created_at_idx ON conversations (workspace_id, created_at);

CREATE TABLE credit_entries (
  id bigint GENERATED ALWAYS AS IDENTITY,
  workspace_id uuid NOT NULL,
  conversation_id uuid,
  kind text NOT NULL,
  amount integer NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT credit_entries_pkey PRIMARY KEY (id),
  CONSTRAINT credit_entries_kind_known CHECK ((kind = ANY (ARRAY['grant'::text, 'hold'::text, 'release'::text, 'charge'::text, 'correction'::text])))
);
CREATE UNIQUE INDEX credit_entries_once_per_call ON credit_entries (conversation_id, kind) WHERE (conversation_id IS NOT NULL);
CREATE INDEX credit_entries_workspace_id_idx ON credit_entries (workspace_id);

CREATE TABLE do_not_call (
  workspace_id uuid NOT NULL,
  phone_number text NOT NULL,
  reason text,
  source text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  expires_at timestamp(3) with time zone,
  created_by jsonb,
  CONSTRAINT do_not_call_pkey PRIMARY KEY (workspace_id, phone_number),
  CONSTRAINT do_not_call_source_known CHECK ((source = ANY (ARRAY['api'::text, 'import'::text, 'opt_out'::text])))
);
CREATE INDEX do_not_call_expires_at_idx ON do_not_call (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX do_not_call_workspace_id_created_at_idx ON do_not_call (workspace_id, created_at);

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
  CONSTRAINT erasures_completed_forgets_number CHECK ((((status = 'completed'::text) = (phone_number IS NULL)) AND ((status = 'completed'::text) = (due_at IS NULL)) AND ((status = 'completed'::text) = (completed_at IS NOT NULL)))),
  CONSTRAINT erasures_status_known CHECK ((status = ANY (ARRAY['pending'::text, 'running'::text, 'waiting'::text, 'completed'::text])))
);
CREATE INDEX erasures_completed_at_idx ON erasures (completed_at) WHERE (completed_at IS NOT NULL);
CREATE UNIQUE INDEX erasures_open ON erasures (workspace_id, phone_number) WHERE (phone_number IS NOT NULL);
CREATE INDEX erasures_workspace_id_created_at_idx ON erasures (workspace_id, created_at);

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
  CONSTRAINT idempotency_keys_answered_or_locked CHECK (((answer IS NOT NULL) OR (locked_until IS NOT NULL)))
);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);

CREATE TABLE knowledge_base_assignments (
  agent_id uuid NOT NULL,
  knowledge_base_id uuid NOT NULL,
  "position" integer NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT knowledge_base_assignments_pkey PRIMARY KEY (agent_id, knowledge_base_id)
);
CREATE INDEX knowledge_base_assignments_knowledge_base_id_idx ON knowledge_base_assignments (knowledge_base_id);

CREATE TABLE knowledge_base_files (
  key uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT knowledge_base_files_pkey PRIMARY KEY (key)
);

CREATE TABLE knowledge_base_passages (
  id bigint GENERATED ALWAYS AS IDENTITY,
  knowledge_base_id uuid NOT NULL,
  source_id uuid NOT NULL,
  "position" integer NOT NULL,
  text text NOT NULL,
  search tsvector NOT NULL,
  page integer,
  CONSTRAINT knowledge_base_passages_pkey PRIMARY KEY (id)
);
CREATE INDEX knowledge_base_passages_search_idx ON knowledge_base_passages USING gin (knowledge_base_id, search);
CREATE INDEX knowledge_base_passages_source_id_idx ON knowledge_base_passages (source_id);

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
  CONSTRAINT knowledge_base_sources_failed_has_reason CHECK (((status = 'failed'::text) = (reason IS NOT NULL))),
  CONSTRAINT knowledge_base_sources_replacement_not_completed CHECK ((NOT (is_replacement AND (status = 'completed'::text)))),
  CONSTRAINT knowledge_base_sources_status_known CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'completed'::text, 'failed'::text]))),
  CONSTRAINT knowledge_base_sources_type_known CHECK ((type = ANY (ARRAY['link'::text, 'pdf'::text, 'docx'::text, 'txt'::text, 'md'::text, 'csv'::text, 'html'::text])))
);
CREATE INDEX knowledge_base_sources_file_key_idx ON knowledge_base_sources (file_key) WHERE (file_key IS NOT NULL);
CREATE INDEX knowledge_base_sources_knowledge_base_id_position_idx ON knowledge_base_sources (knowledge_base_id, "position");
CREATE UNIQUE INDEX knowledge_base_sources_public_id_is_replacement_idx ON knowledge_base_sources (public_id, is_replacement);
CREATE INDEX knowledge_base_sources_workspace_id_bytes_idx ON knowledge_base_sources (workspace_id, bytes);

CREATE TABLE knowledge_base_words (
  source_id uuid NOT NULL,
  word text NOT NULL,
  knowledge_base_id uuid NOT NULL,
  passages integer NOT NULL,
  CONSTRAINT knowledge_base_words_pkey PRIMARY KEY (source_id, word)
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
  CONSTRAINT knowledge_bases_type_known CHECK ((type = ANY (ARRAY['link'::text, 'documents'::text])))
);
CREATE INDEX knowledge_bases_workspace_id_created_at_idx ON knowledge_bases (workspace_id, created_at);
CREATE UNIQUE INDEX knowledge_bases_workspace_id_name_idx ON knowledge_bases (workspace_id, lower(name));

CREATE TABLE phone_numbers (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  number text NOT NULL,
  agent_id uuid,
  type text DEFAULT 'inbound'::text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT phone_numbers_pkey PRIMARY KEY (id),
  CONSTRAINT phone_numbers_type_known CHECK ((type = ANY (ARRAY['inbound'::text, 'outbound'::text])))
);
CREATE UNIQUE INDEX phone_numbers_agent_id_idx ON phone_numbers (agent_id);
CREATE UNIQUE INDEX phone_numbers_number_idx ON phone_numbers (number);
CREATE INDEX phone_numbers_workspace_id_created_at_idx ON phone_numbers (workspace_id, created_at);

CREATE TABLE prompt_templates (
  id text NOT NULL,
  workspace_id uuid,
  name text NOT NULL,
  category text[] DEFAULT '{}'::text[] NOT NULL,
  greeting text NOT NULL,
  prompt text NOT NULL,
  dynamic_variables text[] DEFAULT '{}'::text[] NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT prompt_templates_pkey PRIMARY KEY (id)
);
CREATE INDEX prompt_templates_workspace_id_idx ON prompt_templates (workspace_id);

CREATE TABLE recipient_search_blocks (
  campaign_id uuid NOT NULL,
  block integer NOT NULL,
  numbers text NOT NULL,
  names text NOT NULL,
  irregular text NOT NULL,
  CONSTRAINT recipient_search_blocks_pkey PRIMARY KEY (campaign_id, block)
) WITH (toast_tuple_target='8160');

CREATE TABLE recording_files (
  key uuid NOT NULL,
  workspace_id uuid NOT NULL,
  conversation_id uuid,
  content_type text NOT NULL,
  bytes bigint NOT NULL,
  uploaded_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT recording_files_conversation_id_key UNIQUE (conversation_id),
  CONSTRAINT recording_files_pkey PRIMARY KEY (key),
  CONSTRAINT recording_files_type_known CHECK ((content_type = ANY ('{audio/wav,audio/mpeg}'::text[])))
);
CREATE INDEX recording_files_without_recording ON recording_files (created_at) WHERE (conversation_id IS NULL);
CREATE INDEX recording_files_workspace_id_idx ON recording_files (workspace_id);

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
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_credential_known CHECK ((credential_kind = ANY ('{api-key,token,link}'::text[]))),
  CONSTRAINT sessions_of_keys CHECK (((credential_kind <> 'api-key'::text) OR (key_id IS NOT NULL)))
);
CREATE UNIQUE INDEX sessions_hash_idx ON sessions (hash);
CREATE INDEX sessions_key_id_idx ON sessions (key_id);
CREATE INDEX sessions_workspace_id_idx ON sessions (workspace_id);

CREATE TABLE transcript_turns (
  conversation_id uuid NOT NULL,
  sequence integer NOT NULL,
  speaker text NOT NULL,
  text text NOT NULL,
  started_at timestamp(3) with time zone NOT NULL,
  ended_at timestamp(3) with time zone,
  tool jsonb,
  CONSTRAINT transcript_turns_pkey PRIMARY KEY (conversation_id, sequence),
  CONSTRAINT transcript_turns_speaker_known CHECK ((speaker = ANY ('{agent,user,tool,system}'::text[])))
);

CREATE TABLE users (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT users_pkey PRIMARY KEY (id)
);
CREATE INDEX users_workspace_id_idx ON users (workspace_id);

CREATE TABLE webhook_attempts (
  delivery_id uuid NOT NULL,
  number integer NOT NULL,
  started_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  duration_ms integer,
  status_code integer,
  error text,
  CONSTRAINT webhook_attempts_pkey PRIMARY KEY (delivery_id, number)
);

CREATE TABLE webhook_deliveries (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  conversation_id uuid,
  ordering_key uuid NOT NULL,
  sequence bigserial NOT NULL,
  type text NOT NULL,
  url text NOT NULL,
  data jsonb NOT NULL,
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
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_deliveries_leased_is_pending CHECK (((status = 'pending'::text) OR (leased_until IS NULL))),
  CONSTRAINT webhook_deliveries_pending_is_due CHECK (((status = 'pending'::text) = (next_attempt_at IS NOT NULL))),
  CONSTRAINT webhook_deliveries_status_known CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);
CREATE INDEX webhook_deliveries_conversation_id_idx ON webhook_deliveries (conversation_id);
CREATE INDEX webhook_deliveries_created_at_idx ON webhook_deliveries (created_at);
CREATE INDEX webhook_deliveries_given_up ON webhook_deliveries (workspace_id, given_up_at) WHERE (status = 'failed'::text);
CREATE INDEX webhook_deliveries_in_order ON webhook_deliveries (ordering_key, sequence) WHERE (status = 'pending'::text);
CREATE UNIQUE INDEX webhook_deliveries_start_once ON webhook_deliveries (conversation_id) WHERE (type = 'call.started'::text);
CREATE INDEX webhook_deliveries_test_events ON webhook_deliveries (workspace_id, created_at) WHERE (type = 'webhook.test'::text);
CREATE INDEX webhook_deliveries_workspace_id_sequence_idx ON webhook_deliveries (workspace_id, sequence);

CREATE TABLE webhook_secrets (
  workspace_id uuid NOT NULL,
  secret text NOT NULL,
  previous_secret text,
  previous_expires_at timestamp(3) with time zone,
  CONSTRAINT webhook_secrets_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT webhook_secrets_previous_expires CHECK (((previous_secret IS NULL) = (previous_expires_at IS NULL)))
);

CREATE TABLE workers (
  id text NOT NULL,
  name text NOT NULL,
  version text NOT NULL,
  capacity integer NOT NULL,
  calls integer NOT NULL,
  last_seen_at timestamp(3) with time zone NOT NULL,
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
  CONSTRAINT workspaces_pkey PRIMARY KEY (id),
  CONSTRAINT workspaces_calls_counted CHECK ((calls_under_way >= 0)),
  CONSTRAINT workspaces_quotas_not_negative CHECK ((LEAST((quotas_agents)::bigint, quotas_knowledge_base_bytes, quotas_recording_bytes, (quotas_api_keys)::bigint, (quotas_phone_numbers)::bigint, (quotas_recipients)::bigint, (quotas_concurrent_calls)::bigint, (quotas_requests_per_minute)::bigint, (quotas_credits_per_day)::bigint) >= 0)),
  CONSTRAINT workspaces_subscription_known CHECK ((subscription_status = ANY (ARRAY['active'::text, 'inactive'::text])))
) WITH (fillfactor='50');

ALTER TABLE agent_call_totals
  ADD CONSTRAINT agent_call_totals_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id) ON DELETE CASCADE;
ALTER TABLE agent_versions
  ADD CONSTRAINT agent_versions_agent_id_workspace_id_fkey FOREIGN KEY (agent_id, workspace_id) REFERENCES agents(id, workspace_id) ON DELETE CASCADE;
ALTER TABLE agents
  ADD CONSTRAINT agents_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
ALTER TABLE api_keys
  ADD CONSTRAINT api_keys_parent_id_workspace_id_fkey FOREIGN KEY (parent_id, workspace_id) REFERENCES api_keys(id, workspace_id),
  ADD CONSTRAINT api_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
ALTER TABLE audit_entries
  ADD CONSTRAINT audit_entries_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
ALTER TABLE call_analyses
  ADD CONSTRAINT call_analyses_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE;
ALTER TABLE call_duration_corrections
  ADD CONSTRAINT call_duration_corrections_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES call_rollup_states(workspace_id) ON DELETE CASCADE;
ALTER TABLE call_events
  ADD CONSTRAINT call_events_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE;
ALTER TABLE call_recordings
  ADD CONSTRAINT call_recordings_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE;
ALTER TABLE call_rollup_states
  ADD CONSTRAINT call_rollup_states_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
ALTER TABLE call_rollups
  ADD CONSTRAINT call_rollups_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES call_rollup_states(workspace_id) ON DELETE CASCADE;
ALTER TABLE call_segment_durations
  ADD CONSTRAINT call_segment_durations_workspace_id_starts_at_fkey FOREIGN KEY (workspace_id, starts_at) REFERENCES call_segments(workspace_id, starts_at) ON DELETE CASCADE;
ALTER TABLE call_segments
  ADD CONSTRAINT call_segments_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES call_rollup_states(workspace_id) ON DELETE CASCADE;
ALTER TABLE call_transcripts
  ADD CONSTRAINT call_transcripts_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE;
ALTER TABLE call_value_corrections
  ADD CONSTRAINT call_value_corrections_value_id_fkey FOREIGN KEY (value_id) REFERENCES call_values(id) ON DELETE CASCADE;
ALTER TABLE call_value_rollups
  ADD CONSTRAINT call_value_rollups_value_id_fkey FOREIGN KEY (value_id) REFERENCES call_values(id) ON DELETE CASCADE;
ALTER TABLE call_values
  ADD CONSTRAINT call_values_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES call_rollup_states(workspace_id) ON DELETE CASCADE;
ALTER TABLE call_warnings
  ADD CONSTRAINT call_warnings_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE;
ALTER TABLE campaign_log
  ADD CONSTRAINT campaign_log_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON DELETE CASCADE;
ALTER TABLE campaign_zones
  ADD CONSTRAINT campaign_zones_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON DELETE CASCADE;
ALTER TABLE campaigns
  ADD CONSTRAINT campaigns_agent_id_workspace_id_fkey FOREIGN KEY (agent_id, workspace_id) REFERENCES agents(id, workspace_id),
  ADD CONSTRAINT campaigns_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
ALTER TABLE console_links
  ADD CONSTRAINT console_links_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
ALTER TABLE conversations
  ADD CONSTRAINT conversations_agent_id_agent_version_workspace_id_fkey FOREIGN KEY (agent_id, agent_version, workspace_id) REFERENCES agent_versions(agent_id, version, workspace_id),
  ADD CONSTRAINT conversations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
ALTER TABLE credit_entries
  ADD CONSTRAINT credit_entries_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
ALTER TABLE do_not_call
  ADD CONSTRAINT do_not_call_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
ALTER TABLE erasures
  ADD CONSTRAINT erasures_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
ALTER TABLE idempotency_keys
  ADD CONSTRAINT idempotency_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
ALTER TABLE knowledge_base_assignments
  ADD CONSTRAINT knowledge_base_assignments_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id) ON DELETE CASCADE,
  ADD CONSTRAINT knowledge_base_assignments_knowledge_base_id_fkey FOREIGN KEY (knowledge_base_id) REFERENCES knowledge_bases(id) ON DELETE CASCADE;
ALTER TABLE knowledge_base_passages
  ADD CONSTRAINT knowledge_base_passages_source_id_fkey FOREIGN KEY (source_id) REFERENCES knowledge_base_sources(id) ON DELETE CASCADE;
ALTER TABLE knowledge_base_sources
  ADD CONSTRAINT knowledge_base_sources_file_key_fkey FOREIGN KEY (file_key) REFERENCES knowledge_base_files(key),
  ADD CONSTRAINT knowledge_base_sources_knowledge_base_id_fkey FOREIGN KEY (knowledge_base_id) REFERENCES knowledge_bases(id) ON DELETE CASCADE;
ALTER TABLE knowledge_base_words
  ADD CONSTRAINT knowledge_base_words_source_id_fkey FOREIGN KEY (source_id) REFERENCES knowledge_base_sources(id) ON DELETE CASCADE;
ALTER TABLE knowledge_bases
  ADD CONSTRAINT knowledge_bases_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
ALTER TABLE phone_numbers
  ADD CONSTRAINT phone_numbers_agent_id_workspace_id_fkey FOREIGN KEY (agent_id, workspace_id) REFERENCES agents(id, workspace_id),
  ADD CONSTRAINT phone_numbers_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
ALTER TABLE prompt_templates
  ADD CONSTRAINT prompt_templates_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
ALTER TABLE recipient_search_blocks
  ADD CONSTRAINT recipient_search_blocks_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON DELETE CASCADE;
ALTER TABLE recording_files
  ADD CONSTRAINT recording_files_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES call_recordings(conversation_id) ON DELETE SET NULL,
  ADD CONSTRAINT recording_files_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
ALTER TABLE sessions
  ADD CONSTRAINT sessions_key_id_workspace_id_fkey FOREIGN KEY (key_id, workspace_id) REFERENCES api_keys(id, workspace_id),
  ADD CONSTRAINT sessions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
ALTER TABLE transcript_turns
  ADD CONSTRAINT transcript_turns_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES call_transcripts(conversation_id) ON DELETE CASCADE;
ALTER TABLE users
  ADD CONSTRAINT users_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
ALTER TABLE webhook_attempts
  ADD CONSTRAINT webhook_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries(id) ON DELETE CASCADE;
ALTER TABLE webhook_deliveries
  ADD CONSTRAINT webhook_deliveries_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  ADD CONSTRAINT webhook_deliveries_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
ALTER TABLE webhook_secrets
  ADD CONSTRAINT webhook_secrets_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
ALTER TABLE workspace_retention
  ADD CONSTRAINT workspace_retention_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;

CREATE FUNCTION delete_recipients_of_campaign() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
      BEGIN
        DELETE FROM campaign_recipients WHERE campaign_id = OLD.id;
        RETURN NULL;
      END $$;

CREATE FUNCTION do_not_call_entries(workspace_ids uuid[], numbers text[]) RETURNS SETOF do_not_call
    LANGUAGE plpgsql ROWS 1
    AS $$
      BEGIN
        RETURN QUERY
          SELECT entry.*
          FROM unnest(workspace_ids, numbers) AS asked (asked_workspace, asked_number)
          CROSS JOIN LATERAL (
            SELECT * FROM do_not_call WHERE workspace_id = asked_workspace AND phone_number = asked_number LIMIT 1
          ) AS entry;
      END $$;

CREATE TRIGGER campaigns_delete_recipients AFTER DELETE ON campaigns FOR EACH ROW EXECUTE FUNCTION delete_recipients_of_campaign();
`;
