import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api, client, type Schemas } from '../../api/client';
import { AgentName } from '../../domain/agent-name';
import { getTerm } from '../../domain/term';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Loaded } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { Pager } from '../../ui/table/pager';
import { Table } from '../../ui/table/table';
import { TimeText } from '../../ui/time-text';
import { useAgentNames } from '../../domain/use-agent-names';
import { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { texts } from '../../texts';
import { AddNumberDialog } from './add-number-dialog';
import { CallsOfNumber } from './calls-of-number';
import { readRowsPerPage } from '../../ui/table/rows-per-page';
import { useCreateRequest } from '../../ui/use-create-request';

type PhoneNumber = Schemas['PhoneNumberDto'];

const { columns: headers } = texts.numbers;

export default function NumbersPage() {
  const [parameters, setParameters] = useQueryParameters();
  const query = { page: Number(parameters.get('page') ?? 1), limit: readRowsPerPage() };
  const numbers = api.useQuery(
    'get',
    '/api/phone-number',
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  const { names, isReading } = useAgentNames();
  const [isAdding, setAdding] = useState(false);
  useCreateRequest('administer', () => setAdding(true));
  const [asked, setAsked] = useState<PhoneNumber>();
  const [done, setDone] = useState('');
  const release = async ({ number }: PhoneNumber) => {
    await client.DELETE('/api/phone-number/{number}', { params: { path: { number } } });
    await numbers.refetch();
    setDone(texts.numbers.released(number));
  };
  const findHolder = ({ agent_id }: PhoneNumber) =>
    agent_id === null ? undefined : (names.get(agent_id) ?? agent_id);
  return (
    <Page
      title={texts.numbers.title}
      actions={
        <Button needs="administer" variant="primary" onClick={() => setAdding(true)}>
          {texts.numbers.add}
        </Button>
      }
    >
      <p role="status" className={done === '' ? 'visually-hidden' : undefined}>
        {done}
      </p>
      <Loaded query={numbers}>
        {({ data, pagination }) => (
          <>
            <Table<PhoneNumber>
              caption={texts.numbers.title}
              rows={data.phone_numbers}
              rowKey={({ _id }) => _id}
              empty={texts.numbers.empty}
              columns={[
                { key: 'number', header: headers.number, cell: ({ number }) => number },
                {
                  key: 'status',
                  header: headers.status,
                  phone: 'aside',
                  cell: ({ status }) => (
                    <Badge tone={status === 'active' ? 'good' : 'plain'}>
                      {texts.numbers.statuses[status]}
                    </Badge>
                  ),
                },
                {
                  key: 'agent',
                  header: headers.agent,
                  phone: 'rest',
                  cell: ({ agent_id: id }) =>
                    id === null ? (
                      texts.common.none
                    ) : (
                      <Link href={`/agents/${id}`}>
                        <AgentName id={id} name={names.get(id)} isReading={isReading} />
                      </Link>
                    ),
                },
                {
                  key: 'type',
                  header: headers.type,
                  // A number without an agent takes and makes no calls.
                  cell: ({ type, agent_id }) => (agent_id === null ? texts.common.none : getTerm(type)),
                  isMinor: true,
                },
                {
                  key: 'calls',
                  header: headers.calls,
                  cell: ({ number }) => <CallsOfNumber number={number} />,
                  align: 'end',
                },
                {
                  key: 'added',
                  header: headers.added,
                  cell: ({ created_at }) => <TimeText at={created_at} />,
                  isMinor: true,
                },
                {
                  key: 'act',
                  header: headers.act,
                  phone: 'act',
                  cell: (number) => (
                    <Button
                      needs="administer"
                      variant="quiet"
                      aria-label={texts.numbers.releaseNamed(number.number)}
                      onClick={() => setAsked(number)}
                    >
                      {texts.numbers.release}
                    </Button>
                  ),
                  align: 'end',
                },
              ]}
            />
            <Pager pagination={pagination} onPage={(page) => setParameters({ page: String(page) })} />
          </>
        )}
      </Loaded>
      {isAdding && (
        <AddNumberDialog
          onAdded={async (number) => {
            await numbers.refetch();
            setDone(texts.numbers.added(number));
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {asked && (
        <ConfirmDialog
          title={texts.numbers.releaseTitle(asked.number)}
          text={texts.numbers.releaseText(asked.number, findHolder(asked))}
          action={texts.numbers.release}
          run={() => release(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Page>
  );
}
