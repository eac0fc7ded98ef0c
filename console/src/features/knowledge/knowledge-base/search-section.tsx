import { keepPreviousData } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../../api/client';
import { Button } from '../../../ui/button';
import { FailureNotice } from '../../../ui/failure-notice';
import { TextField } from '../../../ui/fields';
import { formValues } from '../../../ui/form-values';
import { Section } from '../../../ui/page';
import { texts } from '../../../texts';
import { FoundPassage } from './found-passage';
import styles from './knowledge-base.module.css';

const labels = texts.knowledge;

/** A search that finds the same passages as a runtime during a call. */
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
    <Section title={labels.try}>
      <form aria-label={labels.try} onSubmit={submit} className={styles.search}>
        <TextField label={labels.query} name="query" type="search" required maxLength={500} />
        <Button type="submit" isBusy={found.isFetching}>
          {labels.find}
        </Button>
      </form>
      {found.isError && <FailureNotice error={found.error} />}
      <p role="status" className={styles.muted}>
        {passages && (passages.length === 0 ? labels.noPassage : labels.found(passages.length))}
      </p>
      <ol className={styles.passages}>
        {passages?.map((passage) => (
          <li key={`${passage.source_id} ${passage.position}`}>
            <FoundPassage passage={passage} />
          </li>
        ))}
      </ol>
    </Section>
  );
}
