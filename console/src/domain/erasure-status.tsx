import type { Schemas } from '../api/client';
import { texts } from '../texts';
import { Badge } from '../ui/badge';

const { statuses } = texts.erasures;

/** The progress of an erasure. */
export const ErasureStatus = ({
  erasure: { status, calls_under_way },
}: {
  erasure: Pick<Schemas['ErasureDto'], 'status' | 'calls_under_way'>;
}) => (
  <Badge tone={status === 'completed' ? 'good' : 'info'}>
    {status === 'waiting' ? statuses.waiting(calls_under_way) : statuses[status]}
  </Badge>
);
