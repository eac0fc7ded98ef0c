import { ENTRY_KIND } from '../../../accounts/workspaces/credit-entry.entity';
import { invariant, pageOfRows } from '../../../platform/database/invariant';
import { EVENT_TYPE } from '../../webhooks/event-types';
import { IS_IN_PROGRESS, STATUS } from '../model/call-states';
import { hadTimeSince, LONG_ENOUGH } from '../model/had-time.sql';

const CALLS = pageOfRows('conversations', 5_000);

/** Checks that a call has one hold, that its end releases it once, and that the ledger has its charge. */
export const CHECK_SETTLEMENTS = invariant(
  'settlements',
  `
  SELECT calls.id, calls.workspace_id,
         CASE
           WHEN holds <> 1 THEN format('The call has %s holds instead of one', holds)
           WHEN ended_at IS NULL AND releases <> 0 THEN 'The call is in progress, and its hold was released'
           WHEN ended_at IS NOT NULL AND releases <> 1 THEN format('The call has ended, and has %s releases', releases)
           WHEN ended_at IS NOT NULL AND held <> 0 THEN format('The hold and its release differ by %s', held)
           WHEN charged <> charge THEN format('The call costs %s, and its ledger says %s', charge, charged)
         END AS detail
  FROM (${CALLS}) calls
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE kind = '${ENTRY_KIND.hold}') AS holds,
           count(*) FILTER (WHERE kind = '${ENTRY_KIND.release}') AS releases,
           COALESCE(sum(amount) FILTER (WHERE kind IN ('${ENTRY_KIND.hold}', '${ENTRY_KIND.release}')), 0) AS held,
           COALESCE(-sum(amount) FILTER (WHERE kind IN ('${ENTRY_KIND.charge}', '${ENTRY_KIND.correction}')), 0) AS charged
    FROM credit_entries WHERE conversation_id = calls.id) ledger`,
);

/** Checks that a call was connected only by a runtime that has claimed it. */
export const CHECK_CLAIMS = invariant(
  'claims',
  `
  SELECT id, workspace_id,
         CASE WHEN connected_at IS NOT NULL AND claim_id IS NULL AND incoming_claim_id IS NULL
              THEN 'The call was connected, and no runtime has claimed it' END AS detail
  FROM (${CALLS}) calls`,
);

/** SQL: the time from which on a sweeper ends a call, whatever the settings are. */
const DUE = `CASE status WHEN '${STATUS.queued}' THEN expires_at ELSE heartbeat_at + ${LONG_ENOUGH} END`;

/** Deliveries are kept for a day at least, so the end of a call has its own for this time. */
const DELIVERIES_KEPT = `interval '20 hours'`;

/** Checks that a call ends in time, and that the statement which ended it has added the webhook for its owner. */
export const CHECK_ENDS = invariant(
  'ends',
  `
  SELECT id, workspace_id,
         CASE
           WHEN ${IS_IN_PROGRESS} AND ${hadTimeSince(DUE)}
             THEN format('The call is still %s, and nothing has ended it since %s', status, ${DUE})
           WHEN ended_at > now() - ${DELIVERIES_KEPT} AND request->>'webhook_url' <> '' AND NOT EXISTS (
             SELECT FROM webhook_deliveries
             WHERE conversation_id = calls.id AND endpoint_id IS NULL AND type <> '${EVENT_TYPE['call.started']}')
             THEN 'The call has ended, and has no webhook about its end'
         END AS detail
  FROM (${CALLS}) calls`,
);

/** Checks that a workspace counts its calls in progress. */
export const CHECK_CALLS_UNDER_WAY = invariant(
  'calls_under_way',
  `
  SELECT workspaces.id, workspaces.id AS workspace_id,
         CASE WHEN calls_under_way <> calls.number
              THEN format('The workspace counts %s calls in progress, and has %s', calls_under_way, calls.number)
         END AS detail
  FROM (${pageOfRows('workspaces', 10, 'id')}) workspaces
  CROSS JOIN LATERAL (
    SELECT count(*) AS number FROM conversations
    WHERE workspace_id = workspaces.id AND ended_at IS NULL) calls`,
);
