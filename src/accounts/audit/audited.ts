import { applyDecorators, SetMetadata } from '@nestjs/common';
import type { Caller } from '../../platform/http/access';
import { toActor } from '../../platform/http/actor';
import { RecordsChange } from '../../platform/http/change-record';
import { plainAddress } from '../../platform/http/client-network';
import type { AuditAction } from './audit-actions';
import type { AuditTarget } from './audit-entry';
import { auditRecord } from './audit-trail.repository';

interface AuditedChange<Result> {
  caller: Caller;
  /** The parameters of the path. */
  params: Record<string, string>;
  /** The result of the transaction, which may have more than the answer. */
  result: Result;
}

export const AUDITED = Symbol('audited');

/**
 * Declares what the audit says about a request that changes something. The transaction of the request writes the entry,
 * so a refused request has none. A service that finds that nothing changed sets `Transaction.change` to null.
 */
export const Audited = <Result = unknown>(
  action: AuditAction,
  findTarget: (change: AuditedChange<Result>) => AuditTarget,
) =>
  applyDecorators(
    SetMetadata(AUDITED, action),
    RecordsChange(({ user: caller, id, ip, params }) =>
      auditRecord((result) => ({
        workspaceId: caller.workspaceId,
        actor: toActor(caller),
        action,
        requestId: id as string,
        ip: plainAddress(ip),
        ...findTarget({ caller, params: params as Record<string, string>, result: result as Result }),
      })),
    ),
  );
