import { loadConfig, getPublicUrl } from '../../config';
import { DemoDataService } from '../demo-data/demo-data.service';
import { audited } from './audited';
import { command, type Services, text, UsageError, wholeNumber, workspaceFrom } from './command';
import { createConsoleLink } from './console-link';
import { createWorkspace } from './create-workspace';

const MAX_CALLS = 100_000;

async function newWorkspace(services: Services): Promise<string> {
  const { workspaceId } = await createWorkspace(
    { name: 'Demo data', credits: 0, subscribed: true },
    services,
  );
  return workspaceId;
}

export const demoCommands = {
  'demo seed': command({
    usage: '[--workspace ID] [--calls 3000] [--seed TEXT]',
    summary:
      'Fills a new workspace, or one without calls, with three weeks of made-up calls, and prints a link that shows them.',
    options: { workspace: text, calls: text, seed: text },
    run: async ({ workspace, calls = '3000', seed = 'parley' }, services) => {
      const count = wholeNumber(calls, 'calls');
      if (count < 1 || count > MAX_CALLS) throw new UsageError(`--calls must be from 1 to ${MAX_CALLS}.`);
      const config = loadConfig();
      const isNew = workspace === undefined;
      const workspaceId = isNew ? await newWorkspace(services) : await workspaceFrom({ workspace }, services);
      const options = { seed, calls: count, publicUrl: getPublicUrl(config), isNew };
      const details = { calls: count, seed };
      const seeded = await audited(
        'workspace.demo_data_added',
        { workspaceId, id: workspaceId, details },
        () => services(DemoDataService).seed(workspaceId, options),
      );
      const { url, expiresAt } = await createConsoleLink(workspaceId, config, services);
      return { workspaceId, ...seeded, url, expiresAt };
    },
  }),
};
