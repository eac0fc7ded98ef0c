import { userInfo } from 'node:os';
import type { Actor } from '../../platform/http/actor';
import type { AuditAction } from '../../platform/http/audit-actions';
import type { AuditEntry } from '../../platform/http/audited';
import { requestContext } from '../../platform/http/request-context';

type Target = Pick<AuditEntry, 'workspaceId' | 'id' | 'name' | 'details'>;

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
 * @param target or how it follows from what the transaction returns
 */
export function audited<Result, Changed = unknown>(
  action: AuditAction,
  target: Target | ((changed: Changed) => Target),
  work: () => Promise<Result>,
): Promise<Result> {
  const actor = operator();
  const entryOf = (changed: unknown) => ({
    actor,
    action,
    ...(typeof target === 'function' ? target(changed as Changed) : target),
  });
  const audit = { entryOf, isSettled: false };
  return requestContext.runWork(
    { workspaceId: 'operator', actor, audit, abortSignal: undefined, connections: 0 },
    work,
  );
}
