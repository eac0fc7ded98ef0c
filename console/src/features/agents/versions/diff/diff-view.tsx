import { useMemo, useState } from 'react';
import { texts } from '../../../../texts';
import { Button } from '../../../../ui/button';
import { foldRows, type Line, toLines, toRows } from './rows';
import styles from './diff-view.module.css';

interface Props {
  /** The name of the comparison, for screen readers. */
  caption: string;
  left: { title: string; value: unknown };
  right: { title: string; value: unknown };
}

interface CellProps {
  line: Line | undefined;
  own: 'removed' | 'added' | undefined;
}

const SIGNS = { removed: '−', added: '+' };

/** One side of a row: the number and the text of the line. */
function Cells({ line, own }: CellProps) {
  if (!line) return <td colSpan={2} className={styles.nothing} />;
  return (
    <>
      <td className={styles.number}>{line.number}</td>
      <td className={`${styles.text} ${own ? styles[own] : ''}`}>
        {own && (
          <>
            <span aria-hidden="true" className={styles.sign}>
              {SIGNS[own]}
            </span>
            <span className="visually-hidden">{texts.versions[own]}: </span>
          </>
        )}
        {line.pieces.map(({ text, isOwn }, index) => (isOwn ? <mark key={index}>{text}</mark> : text))}
      </td>
    </>
  );
}

/** Two values as JSON, side by side. Equal lines far from a difference are hidden at first. */
export function DiffView({ caption, left, right }: Props) {
  const [isWhole, setWhole] = useState(false);
  const rows = useMemo(() => toRows(toLines(left.value), toLines(right.value)), [left.value, right.value]);
  if (rows.every(({ kind }) => kind === 'same')) return <p>{texts.versions.same}</p>;
  return (
    <>
      <div>
        <Button aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? texts.versions.showChanges : texts.versions.showAll}
        </Button>
      </div>
      <div className={styles.frame} tabIndex={0} role="region" aria-label={caption}>
        <table className={styles.table}>
          <caption className="visually-hidden">{caption}</caption>
          <colgroup>
            <col className={styles.numbers} />
            <col />
            <col className={styles.numbers} />
            <col />
          </colgroup>
          <thead>
            <tr>
              <th scope="col" colSpan={2}>
                {left.title}
              </th>
              <th scope="col" colSpan={2}>
                {right.title}
              </th>
            </tr>
          </thead>
          <tbody>
            {(isWhole ? rows : foldRows(rows)).map((row, index) =>
              row.kind === 'skipped' ? (
                <tr key={index}>
                  <td colSpan={4} className={styles.skipped}>
                    {texts.versions.skipped(row.count)}
                  </td>
                </tr>
              ) : (
                <tr key={index}>
                  <Cells line={row.left} own={row.kind === 'changed' ? 'removed' : undefined} />
                  <Cells line={row.right} own={row.kind === 'changed' ? 'added' : undefined} />
                </tr>
              ),
            )}
          </tbody>
        </table>
      </div>
    </>
  );
}
