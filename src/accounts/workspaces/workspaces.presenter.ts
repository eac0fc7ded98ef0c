import type { Workspace } from './workspace.entity';
import type { ListedEntry } from './credit-ledger.repository';
import { QUOTA_NAMES, type QuotaName } from './quotas';
import type { ShownQuota } from './quotas.service';
import type { CreditEntryDto, QuotaDto, WorkspaceDto } from './workspaces.dto';

export const presentWorkspace = (workspace: Workspace): WorkspaceDto => ({
  workspaceId: workspace.id,
  name: workspace.name,
  credits: workspace.credits,
  callsUnderWay: workspace.callsUnderWay,
  subscription: workspace.subscriptionStatus,
  createdAt: workspace.createdAt,
});

export const presentCreditEntry = (entry: ListedEntry): CreditEntryDto => ({
  id: entry.id,
  at: entry.createdAt,
  kind: entry.kind,
  amount: entry.amount,
  balance: entry.balance,
  call_id: entry.conversationId,
  customer_name: entry.customerName,
  customer_number: entry.customerNumber,
});

export const presentQuotas = (quotas: Record<QuotaName, ShownQuota>): QuotaDto[] =>
  QUOTA_NAMES.map((name) => {
    const { limit, used = null, setBy } = quotas[name];
    return { name, limit, used, set_by: setBy };
  });
