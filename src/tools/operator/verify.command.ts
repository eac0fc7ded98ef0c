import { VerificationService } from '../../features/verification/verification.service';
import { command, text, workspaceFrom } from './command';

export const verifyCommand = {
  verify: command({
    usage: '[--workspace ID]',
    summary: 'Checks the invariants, while servers work. The exit code is 1 if one is violated.',
    options: { workspace: text },
    run: async (values, services) => {
      const workspaceId = values.workspace === undefined ? undefined : await workspaceFrom(values, services);
      const { checked, violations } = await services(VerificationService).verify({ workspaceId });
      return {
        checked,
        violations: violations.map(({ check, workspaceId: workspace_id, id, detail }) => ({
          check,
          workspace_id,
          id,
          detail,
        })),
      };
    },
    hasFailed: ({ violations }) => violations.length > 0,
  }),
};
