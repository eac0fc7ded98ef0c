import { statement } from '../../../platform/database/statement';
import { IS_CALL } from '../call-records/call-records.sql';
import type { CallId } from '../filter/call-filter';
import type { RecordingType } from './recording-file.entity';
import { CALL_OF_EVENT_COLUMNS, eventsOfCalls } from '../../calls/model/call-of-event.sql';
import { addWebhookEvents, HAS_JOBS } from '../../webhooks/add-webhook-event.sql';

/** The time is far longer than the server lets a request take. */
const LONGEST_UPLOAD = `interval '1 hour'`;

export interface StoredRecording {
  key: string;
  contentType: RecordingType;
  bytes: string;
}

export const FIND_RECORDING = statement<CallId, StoredRecording>(
  'find-recording-file',
  `
    SELECT file.key, file.content_type AS "contentType", file.bytes
    FROM conversations AS call JOIN recording_files AS file ON file.conversation_id = call.id
    WHERE ${IS_CALL}`,
);

export interface Upload {
  key: string;
  workspaceId: string;
  contentType: RecordingType;
  bytes: number;
}

export const ADD_UPLOAD = statement<Upload>(
  'add-recording-upload',
  `INSERT INTO recording_files (key, workspace_id, content_type, bytes, uploaded_until)
   VALUES ($key, $workspaceId, $contentType, $bytes, now() + ${LONGEST_UPLOAD})`,
);

interface CallOfWorkspace {
  workspaceId: string;
  callId: string;
}

/**
 * Locks a call whose recording is stored. No row: the call is erased or deleted. The next statement sees what was
 * stored before the lock.
 */
export const LOCK_RECORDED_CALL = statement<CallOfWorkspace, { id: string }>(
  'lock-recorded-call',
  `SELECT id FROM conversations WHERE workspace_id = $workspaceId AND id = $callId AND token IS NOT NULL
   FOR NO KEY UPDATE`,
);

export const HAS_RECORDING = statement<{ callId: string }, { key: string }>(
  'has-recording-file',
  'SELECT key FROM recording_files WHERE conversation_id = $callId',
);

/**
 * Stores a recording whose upload is complete. No row: the upload was considered failed. The file's row refers to
 * that of the recording.
 */
export const KEEP_RECORDING = statement<
  { key: string; callId: string; url: string; bytes: number },
  { key: string }
>(
  'keep-recording-file',
  `
    WITH recorded AS (
      INSERT INTO call_recordings (conversation_id, url) VALUES ($callId::uuid, $url)
      ON CONFLICT (conversation_id) DO UPDATE SET url = excluded.url, reported_at = now()
      RETURNING conversation_id, duration_sec
    ), kept AS (
      UPDATE recording_files SET conversation_id = recorded.conversation_id, bytes = $bytes, uploaded_until = NULL
      FROM recorded WHERE key = $key RETURNING key
    ), call AS MATERIALIZED (
      SELECT conversations.id, recorded.duration_sec AS seconds, ${CALL_OF_EVENT_COLUMNS}
      FROM conversations JOIN recorded ON conversation_id = conversations.id WHERE EXISTS (SELECT FROM kept)
    ), ${addWebhookEvents(
      eventsOfCalls(
        'call',
        'call.recorded',
        `jsonb_build_object('recording_url', $url::text, 'duration_sec', seconds)`,
      ),
    )}
    SELECT key FROM kept WHERE ${HAS_JOBS}`,
);

/** Finds the files whose recording was deleted, or whose upload failed, as in a killed process. */
export const FIND_REMOVABLE = statement<{ limit: number }, { key: string }>(
  'find-removable-recording-files',
  `
    SELECT key FROM recording_files
    WHERE conversation_id IS NULL AND (uploaded_until IS NULL OR uploaded_until <= now())
    ORDER BY created_at LIMIT $limit`,
);

/** Deletes the row of a file, unless the file has a recording by now. */
export const DELETE_FILE = statement<{ key: string }>(
  'delete-recording-file',
  'DELETE FROM recording_files WHERE key = $key AND conversation_id IS NULL',
);
