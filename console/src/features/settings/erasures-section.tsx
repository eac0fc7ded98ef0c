import { keepPreviousData } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, type Schemas } from '../../api/client';
import { Button } from '../../ui/button';
import { DoneNotice } from '../../ui/done-notice';
import { TextField } from '../../ui/fields';
import { formValues } from '../../ui/form-values';
import { Loaded } from '../../ui/loaded';
import { Section } from '../../ui/page';
import { Allowed } from '../../ui/rights';
import { Pager } from '../../ui/table/pager';
import { ErasureStatus } from '../../domain/erasure-status';
import { EraseDialog } from '../../domain/erase-dialog';
import { toE164 } from '../../domain/phone-number';
import { type Column, Table } from '../../ui/table/table';
import { TimeText } from '../../ui/time-text';
import { texts } from '../../texts';
import styles from './settings.module.css';

type Erasure = Schemas['ErasureDto'];

const labels = texts.erasures;
const POLL_MS = 3_000;

const COLUMNS: Column<Erasure>[] = [
  { key: 'created', header: labels.columns.created, cell: ({ created_at }) => <TimeText at={created_at} /> },
  {
    key: 'status',
    header: labels.columns.status,
    cell: (erasure) => <ErasureStatus erasure={erasure} />,
    phone: 'aside',
  },
  { key: 'calls', header: labels.columns.calls, cell: ({ calls }) => calls.toLocaleString(), align: 'end' },
  {
    key: 'recipients',
    header: labels.columns.recipients,
    cell: ({ recipients }) => recipients.toLocaleString(),
    align: 'end',
  },
  {
    key: 'completed',
    header: labels.columns.completed,
    cell: ({ completed_at }) => completed_at && <TimeText at={completed_at} />,
    phone: 'hidden',
  },
];

const isOpen = ({ status }: Erasure) => status !== 'completed';

/** Removes persons, and shows the progress of each removal. */
export function ErasuresSection() {
  const [page, setPage] = useState(1);
  const erasures = api.useQuery(
    'get',
    '/api/erasures',
    { params: { query: { page, limit: 10 } } },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data?.data.some(isOpen) ? POLL_MS : false),
    },
  );
  const [asked, setAsked] = useState<string>();
  const [begun, setBegun] = useState(0);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAsked(toE164(formValues(event.currentTarget).phone_number ?? ''));
    event.currentTarget.reset();
  };
  return (
    <Section title={labels.title}>
      <p className={styles.muted}>{labels.text}</p>
      <p className={styles.muted}>{labels.numberHelp}</p>
      {begun > 0 && <DoneNotice key={begun}>{labels.begun}</DoneNotice>}
      <Allowed to="administer">
        <form onSubmit={submit} className={styles.row}>
          <TextField
            label={labels.number}
            name="phone_number"
            type="tel"
            autoComplete="off"
            maxLength={30}
            required
          />
          <Button type="submit" variant="danger">
            {labels.erase}
          </Button>
        </form>
      </Allowed>
      <Loaded query={erasures}>
        {({ data, pagination }) => (
          <>
            <Table
              caption={labels.title}
              columns={COLUMNS}
              rows={data}
              rowKey={({ erasure_id }) => erasure_id}
              empty={labels.none}
            />
            <Pager pagination={pagination} onPage={setPage} />
          </>
        )}
      </Loaded>
      {asked !== undefined && (
        <EraseDialog
          number={asked}
          onDone={() => {
            setBegun(begun + 1);
            void erasures.refetch();
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Section>
  );
}
