import type { Schemas } from '../../../api/client';
import { Badge, type Tone } from '../../../ui/badge';
import { texts } from '../../../texts';

type Status = Schemas['AgentDeploymentDto']['status'];

const TONES: Record<Status, Tone> = { draft: 'plain', deploying: 'info', active: 'good', failed: 'bad' };

/** The badge that says what becomes of the newest version of an agent. */
export const DeploymentStatus = ({ status }: { status: Status }) => (
  <Badge tone={TONES[status]}>{texts.publishing.statuses[status]}</Badge>
);
