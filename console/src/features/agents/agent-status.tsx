import { texts } from '../../texts';
import { Badge } from '../../ui/badge';

/** The badge that says whether an agent makes and takes calls. */
export const AgentStatus = ({ status }: { status: boolean }) =>
  status ? <Badge tone="good">{texts.agents.active}</Badge> : <Badge tone="plain">{texts.agents.off}</Badge>;
