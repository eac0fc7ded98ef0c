import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client } from '../../api/client';
import type { operations } from '../../api/schema';
import { Button } from '../../components/button';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { filterQuery, isNarrowed } from '../../components/filter-query';
import { ListFilters } from '../../components/list-filters';
import { Loaded } from '../../components/loaded';
import { Page } from '../../components/page';
import { Pager } from '../../components/pager';
import { useQueryParameters } from '../../components/use-query-parameters';
import { texts } from '../../texts';
import { AddDialog } from './add-dialog';
import styles from './do-not-call.module.css';
import { EntryTable } from './entry-table';
import { ImportDialog } from './import-dialog';

type Query = NonNullable<operations['listDoNotCall']['parameters']['query']>;

const words = texts.doNotCall;

const FILTERS = [{ name: 'search', label: words.search }];

/** The numbers that nobody in the workspace may call. */
export default function DoNotCallPage() {
  const state = useQueryParameters();
  const [parameters, setParameters] = state;
  const [asked, setAsked] = useState<'add' | 'import' | { remove: string }>();
  const [done, setDone] = useState('');
  const query = filterQuery(parameters, ['search']) as Query;
  const entries = api.useQuery(
    'get',
    '/api/do-not-call',
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  const close = () => setAsked(undefined);
  const onDone = async (text: string) => {
    await entries.refetch();
    setDone(text);
  };
  const remove = async (phone_number: string) => {
    await client.DELETE('/api/do-not-call/{phone_number}', { params: { path: { phone_number } } });
    await onDone(words.removed(phone_number));
  };
  return (
    <Page
      title={words.title}
      actions={
        <>
          <Button onClick={() => setAsked('import')}>{words.import}</Button>
          <Button variant="primary" onClick={() => setAsked('add')}>
            {words.add}
          </Button>
        </>
      }
    >
      <p className={styles.intro}>{words.intro}</p>
      <p role="status" className={done === '' ? 'visually-hidden' : undefined}>
        {done}
      </p>
      <ListFilters label={words.filters} filters={FILTERS} state={state} />
      <Loaded query={entries}>
        {({ data, pagination }) => (
          <>
            <EntryTable
              entries={data}
              empty={isNarrowed(parameters, ['search']) ? words.empty : words.none}
              onRemove={(number) => setAsked({ remove: number })}
            />
            <Pager pagination={pagination} onPage={(page) => setParameters({ page: String(page) })} />
          </>
        )}
      </Loaded>
      {asked === 'add' && <AddDialog onDone={onDone} onClose={close} />}
      {asked === 'import' && <ImportDialog onDone={onDone} onClose={close} />}
      {typeof asked === 'object' && (
        <ConfirmDialog
          title={words.removeTitle(asked.remove)}
          text={words.removeText(asked.remove)}
          action={words.remove}
          run={() => remove(asked.remove)}
          onClose={close}
        />
      )}
    </Page>
  );
}
