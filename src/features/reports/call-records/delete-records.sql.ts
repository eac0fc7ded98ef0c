import { statement } from '../../../platform/database/statement';

/** Deletes the records of calls. It locks deliveries in the order in which a replay does. */
export const DELETE_WHAT_HANGS_ON_CALLS = statement<{ ids: string[] }>(
  'delete-what-hangs-on-calls',
  `
    WITH transcripts AS (
      DELETE FROM call_transcripts WHERE conversation_id = ANY ($ids)
    ), recordings AS (
      DELETE FROM call_recordings WHERE conversation_id = ANY ($ids)
    ), analyses AS (
      DELETE FROM call_analyses WHERE conversation_id = ANY ($ids)
    ), findings AS (
      DELETE FROM call_findings WHERE conversation_id = ANY ($ids)
    ), warnings AS (
      DELETE FROM call_warnings WHERE conversation_id = ANY ($ids)
    ), events AS (
      DELETE FROM call_events WHERE conversation_id = ANY ($ids)
    ), webhook_event AS (
      DELETE FROM webhook_events WHERE conversation_id = ANY ($ids)
    )
    DELETE FROM webhook_deliveries
    WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_deliveries WHERE conversation_id = ANY ($ids) ORDER BY sequence FOR UPDATE))`,
);
