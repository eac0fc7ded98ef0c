import { CallRollupsService } from '../../features/calls/counts/call-rollups.service';
import { MeasurementsRepository } from '../../features/reports/measurements/measurements.repository';
import { command, type Services, text, workspaceFrom } from './command';

async function workspacesFrom(values: { workspace?: string }, services: Services): Promise<string[]> {
  if (values.workspace === undefined) return services(CallRollupsService).workspaces();
  return [await workspaceFrom(values, services)];
}

export const rollupCommands = {
  'rollups check': command({
    usage: '[--workspace ID]',
    summary: 'Counts calls, and shows the rollups that differ. The exit code is 1 if there are any.',
    options: { workspace: text },
    run: async (values, services) => {
      const workspaces = await workspacesFrom(values, services);
      const differences = [];
      for (const workspaceId of workspaces) {
        differences.push(...(await services(CallRollupsService).check(workspaceId)));
        const measurements = services(MeasurementsRepository);
        for (const day of await measurements.findDays(workspaceId))
          differences.push(...(await measurements.checkDay({ workspaceId, day })));
      }
      return { workspaces: workspaces.length, differences };
    },
    hasFailed: ({ differences }) => differences.length > 0,
  }),

  'rollups rebuild': command({
    usage: '[--workspace ID]',
    summary: 'Counts calls, and corrects the rollups that differ.',
    options: { workspace: text },
    run: async (values, services) => {
      const workspaces = await workspacesFrom(values, services);
      let corrected = 0;
      for (const workspaceId of workspaces) {
        corrected += await services(CallRollupsService).rebuild(workspaceId);
        const measurements = services(MeasurementsRepository);
        for (const day of await measurements.findDays(workspaceId))
          corrected += await measurements.rebuildDay({ workspaceId, day });
      }
      return { workspaces: workspaces.length, corrected };
    },
  }),
};
