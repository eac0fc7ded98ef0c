import type { Schemas } from '../../api/client';
import { Badge, type Tone } from '../../ui/badge';
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

/** Whether sources are still being read, in which case the page polls. */
export const isBeingRead = ({ sources }: Pick<Schemas['KnowledgeBaseDto'], 'sources'>) =>
  sources.some((source) => isGoing(source) || (source.replacement && isGoing(source.replacement)));

const isGoing = ({ status }: Pick<Source, 'status'>) => status === 'pending' || status === 'processing';

export const SourceState = ({ status }: { status: Status }) => (
  <Badge tone={TONES[status]} icon={ICONS[status]}>
    {texts.knowledge.states[status]}
  </Badge>
);

/** The state of a replacement, during which the source keeps its old content. */
export const ReplacementState = ({ status }: { status: Status }) => (
  <Badge tone={TONES[status]} icon={ICONS[status]}>
    {texts.knowledge.replacementStates[status]}
  </Badge>
);

/** The state of all sources: the number in progress, otherwise the number of failures. */
export function StateOfSources({ sources }: { sources: Source[] }) {
  const failed = sources.filter(({ status }) => status === 'failed').length;
  const going = sources.find(isGoing);
  if (going) return <SourceState status={going.status} />;
  const replacements = sources.flatMap(({ replacement }) => replacement ?? []);
  const replaced = replacements.find(isGoing) ?? replacements[0];
  if (replaced && failed === 0) return <ReplacementState status={replaced.status} />;
  if (failed === 0) return <SourceState status="completed" />;
  return failed === sources.length ? (
    <SourceState status="failed" />
  ) : (
    <Badge tone="warn">{texts.knowledge.someFailed(failed, sources.length)}</Badge>
  );
}
