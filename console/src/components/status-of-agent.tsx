import { texts } from '../texts';
import { Badge } from './badge';

/** Whether an agent makes and takes calls. */
export const StatusOfAgent = ({ status }: { status: boolean }) =>
  status ? <Badge tone="good">{texts.agents.active}</Badge> : <Badge tone="plain">{texts.agents.off}</Badge>;
