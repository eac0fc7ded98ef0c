import { keepPreviousData } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../api/client';
import { Button } from '../../components/button';
import { FailureNotice } from '../../components/failure-notice';
import { TextField } from '../../components/fields';
import { formValues } from '../../components/form-values';
import { Section } from '../../components/page';
import { texts } from '../../texts';
import styles from './knowledge-base.module.css';

const words = texts.knowledge;

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });

/** What a runtime would find during a call. */
export function SearchSection({ id }: { id: string }) {
  const [query, setQuery] = useState('');
  const found = api.useQuery(
    'get',
    '/api/knowledge-base/{kb_id}/search',
    { params: { path: { kb_id: id }, query: { query, limit: 10 } } },
    { enabled: query !== '', placeholderData: keepPreviousData },
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = (formValues(event.currentTarget).query ?? '').trim();
    if (text === query) void found.refetch();
    setQuery(text);
  };
  const passages = query === '' ? undefined : found.data?.data;
  return (
    <Section title={words.try}>
      <form aria-label={words.try} onSubmit={submit} className={styles.search}>
        <TextField label={words.query} name="query" type="search" required maxLength={500} />
        <Button type="submit" isBusy={found.isFetching}>
          {words.find}
        </Button>
      </form>
      {found.isError && <FailureNotice error={found.error} />}
      <p role="status" className={styles.muted}>
        {passages && (passages.length === 0 ? words.noPassage : words.found(passages.length))}
      </p>
      <ol className={styles.passages}>
        {passages?.map(({ source_id, source_name, position, score, text }) => (
          <li key={`${source_id} ${position}`}>
            <p className={styles.muted}>
              {source_name} · {words.score} {percent.format(score)}
            </p>
            <p className={styles.passage}>{text}</p>
          </li>
        ))}
      </ol>
    </Section>
  );
}
