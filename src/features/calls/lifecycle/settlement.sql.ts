import { isToday } from '../../../accounts/workspaces/spending.sql';
import {
  type ConversationStatus,
  type DisconnectReason,
  type ENDED_STATUSES,
  type Party,
  STATUS,
} from '../model/call-states';
import { chargeFor } from '../model/pricing';

/** A runtime's report that its call was never connected. */
export interface ReportedFailure {
  id: string;
  /** It proves that the runtime has claimed the call. */
  token: string;
  reason: DisconnectReason;
  party: Party;
}

/** A runtime's report that its call was connected and has ended. Both times are by the clock of the runtime. */
export interface ReportedEnd extends ReportedFailure {
  connectedAt: Date;
  endedAt: Date;
  summary: string;
  processCompliance: string;
  outcome: string;
  transcriptTurns: number | null;
}

/**
 * A change of a call by which it has ended, as a row of a statement. Without reported times, it ends now, or at its
 * last heartbeat if it was connected.
 */
export interface EndOfCall extends Partial<ReportedEnd> {
  id: string;
  from: readonly ConversationStatus[];
  to: (typeof ENDED_STATUSES)[number];
  reason: DisconnectReason;
  party: Party;
}

/** SQL: the columns of `call`, the rows of {@link EndOfCall}, without its id. */
export const END_COLUMNS = `"from" text[], "to" text, reason text, party text, token uuid, "connectedAt" timestamptz,
  "endedAt" timestamptz, summary text, "processCompliance" text, outcome text, "transcriptTurns" integer`;

const sinceClaim = (time: string) => `LEAST(GREATEST(${time}, accepted_at), now())`;

// SQL: how long a call was connected. The reported times are by one clock, so that its error cancels out. No call lasts
// longer than it has been accepted.
const connectedTime = `(
      CASE WHEN call."endedAt" IS NULL THEN heartbeat_at - connected_at
           ELSE GREATEST(interval '0', LEAST(call."endedAt" - call."connectedAt", now() - accepted_at)) END)`;

const ifConnected = (amount: string) =>
  `CASE call."to" WHEN '${STATUS.disconnected}' THEN ${amount} ELSE 0 END`;

/** SQL: the assignments of an UPDATE by which a row of `conversations` has ended as its row of `call` says. */
export const SET_END = `
      status = call."to", disconnect_reason = call.reason, disconnected_by = call.party,
      connected_at = COALESCE(connected_at, CASE WHEN call."connectedAt" IS NOT NULL THEN ${sinceClaim('call."connectedAt"')} END),
      ended_at = CASE WHEN call."endedAt" IS NOT NULL THEN ${sinceClaim('call."endedAt"')}
                      WHEN call."to" = '${STATUS.disconnected}' THEN heartbeat_at
                      ELSE COALESCE(ended_at, now()) END,
      duration_sec = ${ifConnected(`FLOOR(EXTRACT(EPOCH FROM ${connectedTime}))`)},
      charge = ${ifConnected(chargeFor(connectedTime))},
      summary = COALESCE(call.summary, conversations.summary),
      process_compliance = COALESCE(call."processCompliance", process_compliance),
      outcome = COALESCE(call.outcome, conversations.outcome),
      transcript_turns = COALESCE(call."transcriptTurns", transcript_turns)`;

/** SQL: those of the calls that were connected. */
export const connectedOf = (calls: string) =>
  `(SELECT * FROM ${calls} WHERE status = '${STATUS.disconnected}')`;

/** SQL: the spending by credits. A call of an earlier day never lowers today's counter, which does not include its hold. */
export const toSpending = (credits: string, createdAt: string) =>
  `CASE WHEN ${isToday(createdAt)} THEN ${credits} ELSE GREATEST(0, ${credits}) END`;
