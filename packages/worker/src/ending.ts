import { inspect } from 'node:util';
import { CallFailed, type CallInterrupted } from './errors';
import { fitting, LENGTHS, shorten } from './limits';
import { DISCONNECT_REASONS, type DisconnectReason, PARTIES, type Party, TYPES } from './messages';

/** The result of a handler: how its call ended. */
export interface CallResult {
  /** The reason. Default: `agent_hangup` if the call was connected, else `error`; after a hang-up, `cancelled`. */
  reason?: DisconnectReason;
  /** The party that ended the call. Default: the party that the reason implies. */
  by?: Party;
  summary?: string;
  /** A word by which calls are counted. It must not say anything about the person. */
  outcome?: string;
  processCompliance?: string;
  /** The time at which the call ended, if the handler worked on afterwards, such as on a summary. Default: when it returned. */
  endedAt?: Date;
}

/** The end of a call. */
export interface CallEnd {
  conversationId: string;
  /** The type, which is `call.failed.v1` if the call was not connected. */
  type: 'call.ended.v1' | 'call.failed.v1';
  reason: DisconnectReason;
  by: Party;
  summary?: string;
  outcome?: string;
  processCompliance?: string;
  endedAt?: Date;
}

/** The end of a handler. */
export type HandlerOutcome = { returned: unknown } | { threw: unknown };

export interface EndedCall {
  id: string;
  isConnected: boolean;
  interruption: CallInterrupted | undefined;
}

const ENDED_BY: Partial<Record<DisconnectReason, Party>> = {
  user_hangup: 'user',
  agent_hangup: 'agent',
  call_transfer: 'agent',
  voicemail_reached: 'agent',
};

/**
 * The end of a call by the outcome of its handler.
 * @throws TypeError if the handler gives a reason or a party that the server does not know
 */
export function toCallEnd(call: EndedCall, outcome: HandlerOutcome): CallEnd {
  const result = 'returned' in outcome ? toResult(outcome.returned) : {};
  const reason = known('reason', DISCONNECT_REASONS, result.reason ?? findReason(call, outcome));
  return {
    ...result,
    conversationId: call.id,
    type: getType(call),
    reason,
    by: known('by', PARTIES, result.by ?? ENDED_BY[reason] ?? 'system'),
  };
}

function known<Word extends string>(name: string, words: readonly Word[], value: unknown): Word {
  const word = words.find((each) => each === value);
  if (word !== undefined) return word;
  const seen = shorten(inspect(value), 100);
  throw new TypeError(`The ${name} of the end must be one of: ${words.join(', ')}. It is ${seen}.`);
}

/** The end of a call whose handler did not end in time. */
export const cutEnding = ({ id, isConnected }: EndedCall): CallEnd => ({
  conversationId: id,
  type: getType({ isConnected }),
  reason: 'error',
  by: 'system',
});

const getType = ({ isConnected }: Pick<EndedCall, 'isConnected'>) =>
  isConnected ? TYPES.ended : TYPES.failed;

/** Whether an error only means that the call was interrupted, or not answered. */
export function isExpected({ isConnected, interruption }: EndedCall, error: unknown): boolean {
  if (error instanceof CallFailed && !isConnected) return true;
  return (
    interruption !== undefined && (error === interruption || (error as Error | null)?.name === 'AbortError')
  );
}

function findReason({ isConnected, interruption }: EndedCall, outcome: HandlerOutcome): DisconnectReason {
  if (interruption) return interruption.code === 'hangup' ? 'cancelled' : 'error';
  if ('returned' in outcome) return isConnected ? 'agent_hangup' : 'error';
  return outcome.threw instanceof CallFailed && !isConnected ? outcome.threw.reason : 'error';
}

function toResult(returned: unknown): CallResult {
  if (typeof returned !== 'object' || returned === null) return {};
  const { reason, by, summary, outcome, processCompliance, endedAt } = returned as CallResult;
  const isTime = endedAt instanceof Date && !Number.isNaN(endedAt.getTime());
  if (endedAt !== undefined && !isTime) throw new TypeError('The endedAt of the end must be a valid Date.');
  return {
    ...{ reason, by, summary: text(summary), outcome: text(outcome) },
    processCompliance: text(processCompliance),
    endedAt,
  };
}

/** Returns a text that the server accepts, whatever a handler returns. */
function text(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : inspect(value);
}

/** The report of an end. @param now the latest time at which it can have happened; the earliest is `connectedAt` */
export function endReport(end: CallEnd, now: Date, connectedAt: Date | undefined, turns: number) {
  const at = Math.min(now.getTime(), Math.max(connectedAt?.getTime() ?? 0, (end.endedAt ?? now).getTime()));
  const common = {
    occurred_at: new Date(at).toISOString(),
    disconnect_reason: end.reason,
    disconnected_by: end.by,
  };
  if (!connectedAt) return { type: end.type, fields: common };
  const fields = fitting((share) => ({
    ...common,
    connected_at: connectedAt.toISOString(),
    summary: shortened(end.summary, LENGTHS.summary * share),
    process_compliance: shortened(end.processCompliance, LENGTHS.text * share),
    outcome: shortened(end.outcome, LENGTHS.text * share),
    transcript_turns: turns,
  }));
  return { type: end.type, fields };
}

function shortened(text: string | undefined, maxLength: number): string | undefined {
  return text === undefined ? undefined : shorten(text, Math.floor(maxLength));
}
