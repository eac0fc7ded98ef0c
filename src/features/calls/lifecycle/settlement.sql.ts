import { isToday } from '../../../accounts/workspaces/spending.sql';
import type { ConversationStatus, ENDED_STATUSES } from '../model/call-states';

/** A change of calls by which they have ended. */
export interface Ending {
  name: string;
  from: readonly ConversationStatus[];
  to: (typeof ENDED_STATUSES)[number];
  /** SQL: the columns of `call`, a row of the parameter, without its id. */
  columns?: string;
  /** SQL: a condition for the calls, apart from their id and status. */
  where?: string;
  /** SQL: assignments of the other columns. */
  set: string;
}

/** SQL: the spending by credits. A call of an earlier day never lowers today's counter, which does not include its hold. */
export const toSpending = (credits: string, createdAt: string) =>
  `CASE WHEN ${isToday(createdAt)} THEN ${credits} ELSE GREATEST(0, ${credits}) END`;
