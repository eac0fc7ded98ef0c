import type { Schemas } from '../../api/client';
import { Badge, type Tone } from '../../components/badge';
import { texts } from '../../texts';

type Source = Schemas['SourceDto'];
type Status = Source['status'];

const TONES: Record<Status, Tone> = {
  pending: 'plain',
  processing: 'warn',
  completed: 'good',
  failed: 'bad',
};

const ICONS: Partial<Record<Status, string>> = { pending: '…', processing: '↻' };

/** Whether sources are still being read, so that the page looks again. */
export const isBeingRead = ({ sources }: Pick<Schemas['KnowledgeBaseDto'], 'sources'>) =>
  sources.some(({ status }) => status === 'pending' || status === 'processing');

export const SourceState = ({ status }: { status: Status }) => (
  <Badge tone={TONES[status]} icon={ICONS[status]}>
    {texts.knowledge.states[status]}
  </Badge>
);

/** The state of all sources together: what is still going on, else what went wrong. */
export function StateOfSources({ sources }: { sources: Source[] }) {
  const failed = sources.filter(({ status }) => status === 'failed').length;
  const going = sources.find(({ status }) => status === 'processing' || status === 'pending');
  if (going) return <SourceState status={going.status} />;
  if (failed === 0) return <SourceState status="completed" />;
  return failed === sources.length ? (
    <SourceState status="failed" />
  ) : (
    <Badge tone="warn">{texts.knowledge.someFailed(failed, sources.length)}</Badge>
  );
}
