import { getBounds, QUOTA_NAMES, type QuotaName } from '../../accounts/workspaces/quotas';
import { QuotasService } from '../../accounts/workspaces/quotas.service';
import { audited } from './audited';
import { command, required, text, UsageError } from './command';

function quotaFrom(value: string): QuotaName {
  const name = QUOTA_NAMES.find((known) => known === value);
  if (!name) throw new UsageError(`--quota must be one of ${QUOTA_NAMES.join(', ')}.`);
  return name;
}

/** @returns null for the default */
function limitFrom(value: string, name: QuotaName): number | null {
  if (value === 'default') return null;
  const { min, max } = getBounds(name);
  const limit = /^\d{1,15}$/.test(value) ? Number(value) : NaN;
  if (!(limit >= min && limit <= max)) {
    throw new UsageError(`--value must be default, or a whole number from ${min} to ${max}.`);
  }
  return limit;
}

export const quotaCommands = {
  'quota set': command({
    usage: '--workspace ID --quota NAME --value N|default',
    summary: 'Sets a quota, or restores the default.',
    options: { workspace: text, quota: text, value: text },
    run: async (values, services) => {
      const workspaceId = required(values.workspace, 'workspace');
      const quota = quotaFrom(required(values.quota, 'quota'));
      const limit = limitFrom(required(values.value, 'value'), quota);
      await audited('workspace.quota_set', { workspaceId, id: workspaceId }, () =>
        services(QuotasService).set(workspaceId, quota, limit),
      );
      return { workspaceId, quota, ...(await services(QuotasService).show(workspaceId, quota)) };
    },
  }),

  'quota list': command({
    usage: '--workspace ID',
    summary: 'Lists all quotas of a workspace and their use.',
    options: { workspace: text },
    run: async (values, services) => services(QuotasService).list(required(values.workspace, 'workspace')),
  }),
};
