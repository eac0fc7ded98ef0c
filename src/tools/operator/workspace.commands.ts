import { SUBSCRIPTION_STATUSES } from '../../accounts/workspaces/workspace.entity';
import { WorkspacesService } from '../../accounts/workspaces/workspaces.service';
import { audited } from './audited';
import { command, required, text, UsageError, wholeNumber } from './command';
import { createWorkspace } from './create-workspace';

const suspension = (isSuspended: boolean, summary: string) =>
  command({
    usage: '--workspace ID',
    summary,
    options: { workspace: text },
    run: async (values, services) => {
      const workspaceId = required(values.workspace, 'workspace');
      const action = isSuspended ? 'workspace.suspended' : 'workspace.resumed';
      await audited(action, { workspaceId, id: workspaceId }, () =>
        services(WorkspacesService).setSuspended(workspaceId, isSuspended),
      );
      return { workspaceId, suspended: isSuspended };
    },
  });

export const workspaceCommands = {
  'workspace create': command({
    usage: '--name NAME [--credits 1000] [--no-subscription]',
    summary: 'Creates a workspace and its first API key.',
    options: { name: text, credits: text, subscription: { type: 'boolean' } },
    run: async ({ name, credits = '1000', subscription = true }, services) => {
      const workspace = {
        name: required(name, 'name'),
        credits: wholeNumber(credits, 'credits'),
        subscribed: subscription,
      };
      const { workspaceId, userId, apiKey } = await createWorkspace(workspace, services);
      return { workspaceId, userId, apiKey };
    },
  }),

  'workspace suspend': suspension(
    true,
    'Stops a workspace: all its requests are refused, and its queued calls are cancelled.',
  ),

  'workspace resume': suspension(false, 'Ends the suspension.'),

  'credits add': command({
    usage: '--workspace ID --amount N',
    summary: 'Adds credits to the balance.',
    options: { workspace: text, amount: text },
    run: async (values, services) => {
      const amount = wholeNumber(required(values.amount, 'amount'), 'amount');
      const workspaceId = required(values.workspace, 'workspace');
      return audited('workspace.credits_granted', { workspaceId, id: workspaceId }, () =>
        services(WorkspacesService).addCredits(workspaceId, amount),
      );
    },
  }),

  'subscription set': command({
    usage: '--workspace ID --status active|inactive',
    summary: 'Sets the status of the subscription.',
    options: { workspace: text, status: text },
    run: async (values, services) => {
      const workspaceId = required(values.workspace, 'workspace');
      const status = SUBSCRIPTION_STATUSES.find((known) => known === values.status);
      if (!status) throw new UsageError('--status must be active or inactive.');
      await audited('workspace.subscription_set', { workspaceId, id: workspaceId }, () =>
        services(WorkspacesService).setSubscription(workspaceId, status),
      );
      return { workspaceId, subscription: status };
    },
  }),
};
