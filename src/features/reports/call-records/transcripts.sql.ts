import { statement } from '../../../platform/database/statement';
import type { CallId } from '../filter/call-filter';
import { IS_CALL } from './call-records.sql';
import type { Speaker, ToolUse } from '../runtime-reports/transcript-turn.entity';

export interface TranscriptState {
  truncated: boolean;
  /** The number of turns that are stored. */
  turns: number;
  /** The number that the runtime has counted; null: the call has not ended, or they were not counted */
  countedTurns: number | null;
}

export interface FoundTurn {
  sequence: number;
  speaker: Speaker;
  text: string;
  startedAt: Date;
  endedAt: Date | null;
  tool: ToolUse | null;
}

/** No row: no such call. */
export const FIND_TRANSCRIPT = statement<CallId, TranscriptState>(
  'find-transcript',
  `
    SELECT COALESCE(truncated, false) AS truncated, COALESCE(turns, 0) AS turns, transcript_turns AS "countedTurns"
    FROM conversations AS call
    LEFT JOIN call_transcripts ON call_transcripts.conversation_id = call.id
    WHERE ${IS_CALL}`,
);

/**
 * The number of turns that are in memory together. A turn has up to 8,000 characters, and the arguments and the
 * result of a tool as many.
 */
export const BATCH_TURNS = 100;

/** Reads the next turns, in their order. */
export const READ_TURNS = statement<{ callId: string; after: number | null }, FoundTurn>(
  'read-turns-of-transcript',
  `
    SELECT sequence, speaker, text, started_at AS "startedAt", ended_at AS "endedAt", tool
    FROM transcript_turns
    WHERE conversation_id = $callId AND ($after::integer IS NULL OR sequence > $after)
    ORDER BY sequence LIMIT ${BATCH_TURNS}`,
);
