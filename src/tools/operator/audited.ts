import { userInfo } from 'node:os';
import type { AuditAction } from '../../accounts/audit/audit-actions';
import type { AuditTarget } from '../../accounts/audit/audit-entry';
import { auditRecord } from '../../accounts/audit/audit-trail.repository';
import type { Actor } from '../../platform/http/actor';
import { requestContext } from '../../platform/http/request-context';

type Target = AuditTarget & { workspaceId: string };

/** The user of the operating system who runs the command. */
function operator(): Actor {
  const name = userName();
  return { kind: 'operator', id: name, name };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container, the user may have no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/**
 * Runs what a command changes: its transaction writes this entry of the audit.
 * @param target the target, or a function of what the transaction returns
 */
export function audited<Result, Changed = unknown>(
  action: AuditAction,
  target: Target | ((changed: Changed) => Target),
  work: () => Promise<Result>,
): Promise<Result> {
  const actor = operator();
  const record = auditRecord((changed) => ({
    actor,
    action,
    ...(typeof target === 'function' ? target(changed as Changed) : target),
  }));
  return requestContext.runWork(
    { workspaceId: 'operator', actor, record, abortSignal: undefined, connections: 0 },
    work,
  );
}
