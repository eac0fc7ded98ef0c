import type { Actor } from '../../../platform/http/actor';
import type { CallRequest } from './call-request';
import type { CallType, Direction } from './call-states';
import type { Conversation } from './conversation.entity';

export interface NewCall {
  workspaceId: string;
  agentId: string;
  userId: string;
  /** null: the one that calls use. */
  agentVersion?: number | null;
  campaignId: string | null;
  /** null: the campaign started the call. */
  startedBy: Actor | null;
  /** The cap that counts the call. */
  capId?: string;
  callType: CallType;
  direction: Direction;
  /** null: the agent's type decides. */
  channel: string | null;
  /** E.164, or '' for a web call without a number. */
  toNumber: string;
  request: CallRequest;
  /** The time within which a runtime may claim the call. */
  ttlSeconds: number;
  /** The time at which the call expires at the latest. */
  notAfter?: Date | null;
  /** The number of the campaign's attempt to reach this recipient. Default: 1 */
  attempt?: number;
}

/** A committed call. With the snapshot of its agent's version, it is all that the message to the runtime needs. */
export type AcceptedCall = Pick<
  Conversation,
  | 'id'
  | 'workspaceId'
  | 'userId'
  | 'agentId'
  | 'agentVersion'
  | 'campaignId'
  | 'callType'
  | 'direction'
  | 'channel'
  | 'toNumber'
  | 'fromNumber'
  | 'request'
  | 'createdAt'
  | 'expiresAt'
> & {
  /** Milliseconds until it expires, by the database's clock. */
  timeLeftMs: number;
};

export type WorkspaceRefusal = 'suspended' | 'no credits' | 'no credits today' | 'too many calls';

/** Why a call was not accepted. Nothing was changed. */
export interface Refusal {
  reason:
    | 'no agent'
    | 'agent off'
    | 'not published'
    | 'key lost'
    | 'do not call'
    | 'cap reached'
    | WorkspaceRefusal;
  /** The limit that was reached, if the reason is a cap, credits a day or calls in progress. */
  limit?: number;
  /** The time from which a cap allows calls again. */
  resetsAt?: Date;
}

export const isRefusal = (outcome: AcceptedCall | Refusal): outcome is Refusal => 'reason' in outcome;
