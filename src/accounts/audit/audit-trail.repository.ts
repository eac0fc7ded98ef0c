import type { Transaction } from '../../platform/database/database';
import { jsonRows, buildQuery } from '../../platform/database/statement';
import type { ChangeRecord } from '../../platform/http/change-record';
import type { AuditAction } from './audit-actions';
import { type AuditEntry, auditRow } from './audit-entry';
import { INSERT_AUDIT_ENTRIES } from './audit.sql';

const toParameters = (...entries: AuditEntry[]) => ({ entries: jsonRows(entries.map(auditRow)) });

/**
 * The audit entry of a request or command, which its first transaction writes.
 * @param toEntry how the entry follows from what the transaction returned
 */
export const auditRecord = (toEntry: (result: unknown) => AuditEntry): ChangeRecord => ({
  createQuery: ({ result, targetName, details, parts }) => {
    const entry = toEntry(result);
    const merged = { name: targetName, ...entry, details: { ...entry.details, ...details } };
    const others = parts.map((part) => ({ ...entry, ...part, action: part.action as AuditAction }));
    return buildQuery(INSERT_AUDIT_ENTRIES, toParameters(...others, merged));
  },
  isSettled: false,
});

/** Writes an entry of the audit, for a change that no route or command declares. */
export async function writeAuditEntry(entry: AuditEntry, transaction: Transaction): Promise<void> {
  await transaction.query(INSERT_AUDIT_ENTRIES, toParameters(entry));
}
