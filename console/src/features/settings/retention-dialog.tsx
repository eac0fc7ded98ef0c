import { api, type Schemas } from '../../api/client';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Loaded } from '../../ui/loaded';
import { texts } from '../../texts';
import styles from './settings.module.css';

type Retention = Schemas['RetentionDto'];
type Preview = Schemas['RetentionPreviewDto'];

const labels = texts.retention;
export const FIELDS = ['transcripts_days', 'recordings_days', 'calls_days'] as const;
const KINDS = ['calls', 'transcripts', 'recordings'] as const;

const toText = (retention: Retention) => {
  const parts = FIELDS.flatMap((name) => {
    const days = retention[name];
    return days === null ? [] : labels.part(labels.fields[name], days);
  });
  return parts.length > 0 ? labels.confirm(parts.join(', ')) : labels.nothingEver;
};

const isDue = (preview: Preview) => KINDS.some((kind) => preview[kind].count > 0 || !preview[kind].exact);

interface Props {
  retention: Retention;
  save: () => Promise<void>;
  onClose: () => void;
}

/** Asks for confirmation of new retention times, and names what is removed at once. */
export function RetentionDialog({ retention, save, onClose }: Props) {
  const query = Object.fromEntries(FIELDS.map((name) => [name, retention[name] ?? undefined]));
  const preview = api.useQuery(
    'get',
    '/api/workspace/retention/preview',
    { params: { query } },
    { gcTime: 0, staleTime: 0 },
  );
  // The dialog also warns while the preview is being read.
  const isLosing = !preview.data || isDue(preview.data.data);
  return (
    <ConfirmDialog
      title={labels.confirmTitle}
      text={toText(retention)}
      action={isLosing ? labels.saveAndDelete : labels.save}
      isDestructive={isLosing}
      confirmWord={isLosing ? labels.confirmWord : undefined}
      run={save}
      onClose={onClose}
    >
      <Loaded query={preview}>{({ data }) => <Due preview={data} />}</Loaded>
    </ConfirmDialog>
  );
}

function Due({ preview }: { preview: Preview }) {
  if (!isDue(preview)) return <p>{labels.dueNothing}</p>;
  return (
    <>
      <p>
        <strong>{labels.due}</strong>
      </p>
      <ul className={styles.lost}>
        {KINDS.filter((kind) => preview[kind].count > 0 || !preview[kind].exact).map((kind) => {
          const { count, exact } = preview[kind];
          const shown = exact ? count.toLocaleString() : labels.atLeast(count);
          return <li key={kind}>{labels.dueOf[kind](shown, exact && count === 1)}</li>;
        })}
      </ul>
    </>
  );
}
