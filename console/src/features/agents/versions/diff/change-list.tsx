import { useMemo, useState } from 'react';
import type { Settings } from '../../../../domain/setting-text';
import { texts } from '../../../../texts';
import { Button } from '../../../../ui/button';
import styles from './change-list.module.css';
import { type BaseNames, listChanges } from './list-changes';
import { foldRows, type Line, type Row } from './rows';

interface Side {
  title: string;
  value: Settings;
}

interface Props {
  left: Side;
  right: Side;
  baseNames: BaseNames;
}

const SIGNS = { removed: '−', added: '+' };

/** A line that only one side has. */
function OwnLine({ line, own }: { line: Line | undefined; own: 'removed' | 'added' }) {
  if (!line) return <span className={styles.nothing} />;
  const Own = own === 'removed' ? 'del' : 'ins';
  return (
    <Own className={`${styles.line} ${styles[own]}`}>
      <span aria-hidden="true" className={styles.sign}>
        {SIGNS[own]}
      </span>
      <span className="visually-hidden">{texts.versions[own]}: </span>
      {line.map(({ text, isOwn }, index) => (isOwn ? <mark key={index}>{text}</mark> : text))}
    </Own>
  );
}

const toText = (line: Line) => line.map(({ text }) => text).join('');

function RowView({ row }: { row: Row }) {
  if (row.kind === 'skipped') return <p className={styles.skipped}>{texts.versions.skipped(row.count)}</p>;
  if (row.kind === 'same')
    return (
      <>
        <p className={styles.line}>{toText(row.left)}</p>
        <p aria-hidden="true" className={`${styles.line} ${styles.again}`}>
          {toText(row.right)}
        </p>
      </>
    );
  return (
    <>
      <OwnLine line={row.left} own="removed" />
      <OwnLine line={row.right} own="added" />
    </>
  );
}

/** The settings that differ between two versions, side by side. Equal lines far from a difference are hidden at first. */
export function ChangeList({ left, right, baseNames }: Props) {
  const [isWhole, setWhole] = useState(false);
  const changes = useMemo(
    () => listChanges(left.value, right.value, baseNames),
    [left.value, right.value, baseNames],
  );
  if (changes.length === 0) return <p>{texts.versions.same}</p>;
  const folded = changes.map(({ rows }) => foldRows(rows));
  const hasFolds = folded.flat().some(({ kind }) => kind === 'skipped');
  return (
    <>
      {hasFolds && (
        <div>
          <Button aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? texts.versions.showChanges : texts.versions.showAll}
          </Button>
        </div>
      )}
      <div className={styles.changes}>
        <p className={styles.titles}>
          <span data-side="left">
            <span aria-hidden="true">{SIGNS.removed}</span> {left.title}
          </span>
          <span>
            <span aria-hidden="true">{SIGNS.added}</span> {right.title}
          </span>
        </p>
        <ul>
          {changes.map(({ path, name, rows }, index) => (
            <li key={path} className={styles.change}>
              <h3 title={path}>{name}</h3>
              <div className={styles.rows}>
                {(isWhole ? rows : (folded[index] ?? rows)).map((row, place) => (
                  <RowView key={place} row={row} />
                ))}
              </div>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
