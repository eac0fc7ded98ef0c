import { statement } from '../../../platform/database/statement';

/** For a message of a runtime, which does not know the workspace. */
export const FIND_TRACEPARENT = statement<{ conversationId: string }, { traceparent: string | null }>(
  'find-traceparent-of-call',
  `SELECT request->>'traceparent' AS traceparent FROM conversations WHERE id = $conversationId`,
);
