import type { ReactNode } from 'react';
import type { Schemas } from '../../../api/client';
import { texts } from '../../../texts';
import styles from './knowledge-base.module.css';

type Passage = Schemas['FoundPassageDto'];

const labels = texts.knowledge;

/** The text in pieces, with its highlights marked. */
function marked({ text, highlights }: Passage): ReactNode[] {
  const pieces: ReactNode[] = [];
  let end = 0;
  for (const highlight of highlights) {
    pieces.push(text.slice(end, highlight.start));
    pieces.push(<mark key={highlight.start}>{text.slice(highlight.start, highlight.end)}</mark>);
    end = highlight.end;
  }
  return [...pieces, text.slice(end)];
}

/** A passage with its source, and with the words of the query that it has and lacks. */
export function FoundPassage({ passage }: { passage: Passage }) {
  const { source_name, page, position, matched_words, missing_words } = passage;
  const place = page === null ? labels.passageNumber(position + 1) : labels.page(page);
  const matches = [
    ...(matched_words.length > 0 ? [labels.contains(matched_words)] : []),
    ...(missing_words.length > 0 ? [labels.containsNot(missing_words)] : []),
  ];
  return (
    <>
      <p className={styles.muted}>
        {source_name} · {place}
      </p>
      <p className={styles.passage}>{marked(passage)}</p>
      <p className={styles.muted}>{matches.join('; ')}</p>
    </>
  );
}
