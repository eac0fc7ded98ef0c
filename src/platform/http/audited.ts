import { type ExecutionContext, SetMetadata } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import type { AuthenticatedRequest, Caller } from './access';
import { type Actor, actorOf } from './actor';
import type { AuditAction } from './audit-actions';

/** Never secrets, texts of users or data of called persons: names of fields, ids, counts and closed words only. */
export type AuditDetails = Record<string, string | number | boolean | null | readonly string[]>;

/** The target of a change. */
interface Target {
  /** null: the workspace has only one of its kind, or the change is about many. */
  id: string | null;
  name?: string | null;
  details?: AuditDetails;
}

/** A change and its actor, as the audit keeps it. */
export interface AuditEntry extends Target {
  workspaceId: string;
  actor: Actor;
  action: AuditAction;
  /** null: no request. */
  requestId?: string | null;
  ip?: string | null;
}

/** The entry that the next transaction writes before it commits. */
export interface PendingEntry {
  /** @param result what the work of the transaction returned */
  entryOf(result: unknown): AuditEntry;
  /** A transaction with the entry was committed, or has changed nothing. */
  isSettled: boolean;
}

interface Change<Result> {
  caller: Caller;
  /** The parameters of the path. */
  params: Record<string, string>;
  /** The result of the transaction, which may have more than the answer. */
  result: Result;
}

interface Declaration {
  action: AuditAction;
  targetOf(change: Change<unknown>): Target;
}

export const AUDITED = Symbol('audited');

/**
 * Declares what the audit says about a request that changes something. The transaction of the request writes the entry,
 * so a refused request has none. A service that finds that nothing changed sets `Transaction.change` to null.
 */
export const Audited = <Result = unknown>(
  action: AuditAction,
  targetOf: (change: Change<Result>) => Target,
) => SetMetadata(AUDITED, { action, targetOf });

/** undefined: the route is not audited. */
export function pendingEntryOf(context: ExecutionContext): PendingEntry | undefined {
  const declared = Reflect.getMetadata(AUDITED, context.getHandler()) as Declaration | undefined;
  if (!declared) return undefined;
  const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
  const { user, id, ip } = request;
  const params = request.params as Record<string, string>;
  const facts = {
    workspaceId: user.workspaceId,
    actor: actorOf(user),
    action: declared.action,
    requestId: id as string,
    ip: plainAddress(ip),
  };
  return {
    entryOf: (result) => ({ ...facts, ...declared.targetOf({ caller: user, params, result }) }),
    isSettled: false,
  };
}

/** An IPv4 address that a socket of both families shows as IPv6 is written as IPv4. */
export function plainAddress(address: string | undefined): string | null {
  return address !== undefined && ipaddr.isValid(address) ? ipaddr.process(address).toString() : null;
}
