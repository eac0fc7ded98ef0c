import { useState } from 'react';
import { client, type Schemas } from '../../../api/client';
import { Button } from '../../../ui/button';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { focusHeadingIfLost } from '../../../ui/focus-heading';
import { Section } from '../../../ui/page';
import { type Column, Table } from '../../../ui/table/table';
import { texts } from '../../../texts';
import { ReplacementState, SourceState } from '../state-of';
import styles from './knowledge-base.module.css';
import { SourceDialog } from './source-dialog';

type Source = Schemas['SourceDto'];

interface Props {
  id: string;
  sources: Source[];
  onChanged: () => Promise<unknown>;
}

const labels = texts.knowledge;
const { source: headers } = labels;

/** The name of a source. A web page is a link that opens another tab. */
const SourceName = ({ source: { url, name } }: { source: Source }) =>
  /^https?:/.test(url) ? (
    <a href={url} target="_blank" rel="noreferrer" className={styles.link}>
      {url}
    </a>
  ) : (
    <span className={styles.link}>{name}</span>
  );

const StateCell = ({ source: { status, replacement } }: { source: Source }) => (
  <span className={styles.states}>
    <SourceState status={status} />
    {replacement && <ReplacementState status={replacement.status} />}
  </span>
);

const getReason = ({ metadata, replacement }: Source) => metadata.reason ?? replacement?.metadata.reason;

const REASON: Column<Source> = { key: 'reason', header: headers.reason, cell: getReason };

/** The sources of a knowledge base, with buttons to add, replace and remove them. */
export function SourceTable({ id, sources, onChanged }: Props) {
  const [isAdding, setAdding] = useState(false);
  const [replaced, setReplaced] = useState<Source>();
  const [removed, setRemoved] = useState<Source>();
  const isOnly = sources.length === 1;
  return (
    <Section
      title={labels.sources}
      actions={
        <Button needs="administer" onClick={() => setAdding(true)}>
          {labels.addSource}
        </Button>
      }
    >
      <Table<Source>
        caption={labels.sources}
        rows={sources}
        rowKey={({ _id }) => _id}
        columns={[
          { key: 'name', header: headers.name, cell: (source) => <SourceName source={source} /> },
          { key: 'type', header: headers.type, cell: ({ type }) => labels.types[type], isMinor: true },
          {
            key: 'state',
            header: headers.state,
            cell: (source) => <StateCell source={source} />,
            phone: 'aside',
          },
          {
            key: 'passages',
            header: headers.passages,
            cell: ({ metadata }) => metadata.passages.toLocaleString(),
            align: 'end',
            isMinor: true,
            phone: 'named',
          },
          ...(sources.some(getReason) ? [REASON] : []),
          {
            key: 'act',
            header: headers.act,
            phone: 'act',
            align: 'end',
            cell: (source) => (
              <span className={styles.acts}>
                <Button
                  needs="administer"
                  variant="quiet"
                  aria-label={
                    source.type === 'link'
                      ? labels.fetchAgainNamed(source.name)
                      : labels.replaceNamed(source.name)
                  }
                  onClick={() => setReplaced(source)}
                >
                  {source.type === 'link' ? labels.fetchAgain : labels.replace}
                </Button>
                {!isOnly && (
                  <Button
                    needs="administer"
                    variant="quiet"
                    aria-label={labels.removeNamed(source.name)}
                    onClick={() => setRemoved(source)}
                  >
                    {labels.remove}
                  </Button>
                )}
              </span>
            ),
          },
        ]}
      />
      {isOnly && <p className={styles.muted}>{labels.onlySource}</p>}
      {(isAdding || replaced) && (
        <SourceDialog
          id={id}
          replaced={replaced}
          onSaved={onChanged}
          onClose={() => {
            setAdding(false);
            setReplaced(undefined);
          }}
        />
      )}
      {removed && (
        <ConfirmDialog
          title={labels.removeTitle(removed.name)}
          text={labels.removeText(removed.name)}
          action={labels.removeAct}
          run={async () => {
            const path = { kb_id: id, source_id: removed._id };
            await client.DELETE('/api/knowledge-base/{kb_id}/sources/{source_id}', { params: { path } });
            await onChanged();
          }}
          onDone={focusHeadingIfLost}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Section>
  );
}
