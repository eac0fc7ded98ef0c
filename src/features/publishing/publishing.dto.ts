import { PUBLISH_MODE, PUBLISH_MODES, type PublishMode } from '../../accounts/workspaces/publish-modes';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME } from '../../platform/validation/example';
import { BooleanField, DateTimeField, IntegerField } from '../../platform/validation/fields';
import { NameField, TextField } from '../../platform/validation/text-fields';
import { DEPLOYMENT_STATUSES, type DeploymentStatus } from '../agents/agent-types';

const optional = true;
const nullable = true;

const MODES =
  '`automatic`: calls use each new version at once. `gated`: calls use a new version once its rehearsals have passed.';

@Example({ publish: PUBLISH_MODE.gated })
export class WorkspacePublishingDto {
  @TextField({ choices: PUBLISH_MODES, description: `Of agents that have no setting of their own. ${MODES}` })
  publish: PublishMode;
}

@Example({ publish: PUBLISH_MODE.gated })
export class ChangeDeploymentDto {
  @TextField({
    nullable,
    choices: PUBLISH_MODES,
    description: `${MODES} null: as the workspace says. When an agent becomes automatic, its newest version goes active.`,
  })
  publish: PublishMode | null;
}

@Example({ force: true, reason: 'The prices are wrong.' })
export class PublishDto {
  @BooleanField({ optional, default: false, description: 'Whether it is published without being rehearsed.' })
  force: boolean = false;
  @NameField({ optional, max: 500, description: 'For the audit. Required with `force`.' }) reason?: string;
}

@Example({
  ...{ publish: PUBLISH_MODE.gated, publish_own: null, status: 'failed', version: 5, active_version: 4 },
  ...{ deployed_at: EXAMPLE_TIME, run_id: EXAMPLE_IDS.rehearsalRun },
  error: 'table-for-two: tool: book_table was not asked for. (and 2 more)',
})
export class AgentDeploymentDto {
  @TextField({ choices: PUBLISH_MODES, description: MODES }) publish: PublishMode;
  @TextField({ nullable, choices: PUBLISH_MODES, description: 'null: as the workspace says.' })
  publish_own: PublishMode | null;
  @TextField({ choices: DEPLOYMENT_STATUSES, description: 'Of the newest version.' })
  status: DeploymentStatus;
  @IntegerField({ description: 'The newest one.' }) version: number;
  @IntegerField({ nullable, description: 'The version that calls use. null: none is published yet.' })
  active_version: number | null;
  @DateTimeField({ nullable, description: 'The time since which calls use it.' }) deployed_at: Date | null;
  @TextField({ nullable, description: 'Why the newest version failed.' }) error: string | null;
  @TextField({ nullable, description: 'The rehearsal run on which the newest version depends, or depended.' })
  run_id: string | null;
}
