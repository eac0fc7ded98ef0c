import { byName, literals } from '../../../platform/database/closed-list';
import { AGENT_TYPE } from '../../agents/agent-types';
import {
  CALL_TYPES,
  DIRECTIONS,
  DISCONNECT_REASONS as RUNTIME_DISCONNECT_REASONS,
  PARTIES,
} from '../../../platform/messaging/wire';

export { CALL_TYPES, DIRECTIONS, PARTIES, RUNTIME_DISCONNECT_REASONS };
export type { CallType, Direction, Party } from '../../../platform/messaging/wire';

/**
 * The closed lists of a call, each defined once: types, validators, CHECK constraints, SQL and documents use them.
 * A new value needs an entry here, or in the contract, and a migration of its CHECK constraint.
 */

/** `accepted` is the API specification's word for a claimed call; a call that the server has accepted is `queued`. */
export const CONVERSATION_STATUSES = ['queued', 'accepted', 'connected', 'disconnected', 'failed'] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];
export const STATUS = byName(CONVERSATION_STATUSES);

/** A runtime has claimed the call, and sends its events. */
export const CLAIMED_STATUSES = [STATUS.accepted, STATUS.connected] as const;
export const ENDED_STATUSES = [STATUS.disconnected, STATUS.failed] as const;

/** SQL: whether a call has one of these statuses. */
export const inStatus = (...statuses: readonly ConversationStatus[]) =>
  statuses.length === 1 ? `status = ${literals(statuses)}` : `status IN (${literals(statuses)})`;

/** SQL: whether a call has not ended. Partial indexes have this condition, which status changes do not touch. */
export const IS_IN_PROGRESS = 'ended_at IS NULL';

/** Why a call ended. Only the server sets the last three. */
export const DISCONNECT_REASONS = [
  ...RUNTIME_DISCONNECT_REASONS,
  'dispatch_failed',
  'dispatch_expired',
  'worker_lost',
] as const;
export type DisconnectReason = (typeof DISCONNECT_REASONS)[number];
export const REASON = byName(DISCONNECT_REASONS);

export const PARTY = byName(PARTIES);
export const CALL_TYPE = byName(CALL_TYPES);
export const DIRECTION = byName(DIRECTIONS);

/** The effects that a request to end a call can have. */
export const HANG_UP_OUTCOMES = ['cancelled', 'sent', 'pending'] as const;
export type HangUpOutcome = (typeof HANG_UP_OUTCOMES)[number];
export const HANG_UP_OUTCOME = byName(HANG_UP_OUTCOMES);

/** The runtime pools that a call goes to by its agent's type. A call can name any other one. */
export const DEFAULT_CHANNEL = byName(['voice', 'chat']);

/** @param type of an agent */
export const getDefaultChannel = (type: string) =>
  type === AGENT_TYPE.chat ? DEFAULT_CHANNEL.chat : DEFAULT_CHANNEL.voice;
