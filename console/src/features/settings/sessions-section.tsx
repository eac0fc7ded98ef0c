import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client, type Schemas } from '../../api/client';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { DoneNotice } from '../../ui/done-notice';
import { Loaded } from '../../ui/loaded';
import { Section } from '../../ui/page';
import { Pager } from '../../ui/table/pager';
import { type Column, Table } from '../../ui/table/table';
import { momentText } from '../../ui/moment';
import { TimeText } from '../../ui/time-text';
import { clearSession } from '../../session/session';
import { texts } from '../../texts';
import { accessText } from './access-text';
import styles from './settings.module.css';

type Session = Schemas['ListedSessionDto'];

const { sessions: labels } = texts.settings;
const { columns: headers } = labels;

const formatStart = ({ created_at }: Session) => momentText(created_at);

const COLUMNS: Column<Session>[] = [
  {
    key: 'user',
    header: headers.user,
    cell: ({ user, current }) => (
      <>
        {user.name} {current && <Badge tone="good">{labels.current}</Badge>}
      </>
    ),
  },
  {
    key: 'how',
    header: headers.how,
    cell: ({ credential }) => labels.kinds[credential],
    isMinor: true,
    phone: 'aside',
  },
  {
    key: 'access',
    header: headers.access,
    cell: ({ scopes }) => accessText(scopes),
    isMinor: true,
  },
  {
    key: 'began',
    header: headers.began,
    cell: ({ created_at }) => <TimeText at={created_at} />,
    isMinor: true,
  },
  {
    key: 'used',
    header: headers.used,
    cell: ({ last_used_at }) => <TimeText at={last_used_at} />,
    isMinor: true,
    phone: 'named',
  },
  {
    key: 'ends',
    header: headers.ends,
    cell: ({ expires_at }) => <TimeText at={expires_at} />,
    isMinor: true,
  },
  { key: 'ip', header: headers.ip, cell: ({ ip }) => ip ?? texts.common.unknown, isMinor: true },
];

/** The sessions of the workspace, each of which can be ended. */
export function SessionsSection() {
  const [page, setPage] = useState(1);
  const sessions = api.useQuery(
    'get',
    '/api/sessions',
    { params: { query: { page, limit: 10 } } },
    { placeholderData: keepPreviousData },
  );
  const [asked, setAsked] = useState<Session>();
  const [ended, setEnded] = useState<Session>();
  const queries = useQueryClient();
  const onEnded = (session: Session) => {
    if (session.current) return clearSession(queries);
    setEnded(session);
    void sessions.refetch();
  };
  return (
    <Section title={labels.title}>
      <p className={styles.muted}>{labels.text}</p>
      {ended && <DoneNotice key={ended.id}>{labels.ended(ended.user.name)}</DoneNotice>}
      <Loaded query={sessions}>
        {({ data, pagination }) => (
          <>
            <Table
              caption={labels.title}
              rows={data}
              rowKey={({ id }) => id}
              empty={labels.empty}
              columns={[
                ...COLUMNS,
                {
                  key: 'act',
                  header: headers.act,
                  phone: 'act',
                  cell: (session) => (
                    <Button
                      needs="administer"
                      variant="quiet"
                      aria-label={labels.endNamed(session.user.name, formatStart(session))}
                      onClick={() => setAsked(session)}
                    >
                      {labels.end}
                    </Button>
                  ),
                  align: 'end',
                },
              ]}
            />
            <Pager pagination={pagination} onPage={setPage} />
          </>
        )}
      </Loaded>
      {asked && (
        <ConfirmDialog
          title={asked.current ? labels.endOwnTitle : labels.endTitle(asked.user.name)}
          text={asked.current ? labels.endOwnText : labels.endText(formatStart(asked), asked.ip)}
          action={labels.end}
          run={() =>
            client.DELETE('/api/sessions/{session_id}', { params: { path: { session_id: asked.id } } })
          }
          onDone={() => onEnded(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Section>
  );
}
