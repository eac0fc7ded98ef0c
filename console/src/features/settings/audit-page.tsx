import { keepPreviousData } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link } from 'wouter';
import { api, type Schemas } from '../../api/client';
import type { operations } from '../../api/schema';
import { FilterBar } from '../../ui/filters/filter-bar';
import { filterQuery, namesOf } from '../../ui/filters/filter-query';
import { MINUTES } from '../../ui/filters/periods';
import { Loaded } from '../../ui/loaded';
import { Pager } from '../../ui/table/pager';
import { type Column, Table } from '../../ui/table/table';
import { TimeText } from '../../ui/time-text';
import { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { texts } from '../../texts';
import { AUDIT_FILTERS } from './audit-filters';
import { actionText, comparisonHref, detailLinks, detailsText, targetName } from './audit-text';
import { SettingsFrame } from './settings-frame';
import styles from './settings.module.css';

type Entry = Schemas['AuditEntryDto'];
type Query = NonNullable<operations['listAuditEntries']['parameters']['query']>;

const labels = texts.settings.audit;

const toHref = (filters: Record<string, string>) => `/settings/audit?${new URLSearchParams(filters)}`;

const COLUMNS: Column<Entry>[] = [
  { key: 'at', header: labels.columns.at, cell: ({ at }) => <TimeText at={at} hasSeconds />, phone: 'aside' },
  {
    key: 'actor',
    header: labels.columns.actor,
    cell: ({ actor }) => (
      <>
        <Link
          href={toHref({ actor_kind: actor.kind, actor_id: actor.id })}
          title={labels.onlyActor(actor.name)}
        >
          {actor.name}
        </Link>{' '}
        <span className={styles.line}>({actor.kind})</span>
      </>
    ),
  },
  { key: 'action', header: labels.columns.action, cell: ({ action }) => actionText(action), phone: 'title' },
  {
    key: 'target',
    header: labels.columns.target,
    cell: ({ target }) =>
      target.id ? (
        <Link
          href={toHref({ target_kind: target.kind, target_id: target.id })}
          title={labels.onlyTarget(targetName(target))}
        >
          {targetName(target)}
        </Link>
      ) : (
        targetName(target)
      ),
  },
  {
    key: 'details',
    header: labels.columns.details,
    cell: (entry) => <Details entry={entry} />,
    isMinor: true,
  },
  { key: 'ip', header: labels.columns.ip, cell: ({ ip }) => ip, isMinor: true },
  {
    key: 'request',
    header: labels.columns.request,
    cell: ({ request_id }) =>
      request_id && (
        <Link href={toHref({ request_id })}>
          <code title={request_id} className={styles.line}>
            …{request_id.slice(-8)}
          </code>
        </Link>
      ),
    isMinor: true,
  },
];

function Details({ entry }: { entry: Entry }) {
  const href = comparisonHref(entry);
  return (
    <span className={styles.details}>
      {detailsText(entry.details)} {href && <Link href={href}>{labels.compare}</Link>}
      {detailLinks(entry.details).map((link) => (
        <Fragment key={link.href}>
          {' '}
          <Link href={link.href}>{link.text}</Link>
        </Fragment>
      ))}
    </span>
  );
}

/** The audit: all changes and their authors. */
export default function AuditPage() {
  const state = useQueryParameters();
  const [parameters, setParameters] = state;
  const query = filterQuery(parameters, namesOf(AUDIT_FILTERS, MINUTES)) as Query;
  const entries = api.useQuery(
    'get',
    '/api/audit',
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  return (
    <SettingsFrame tab={texts.settings.tabs.audit}>
      <FilterBar times={MINUTES} filters={AUDIT_FILTERS} state={state} />
      <Loaded query={entries}>
        {({ data, pagination }) => (
          <>
            <Table
              caption={texts.settings.tabs.audit}
              columns={COLUMNS}
              rows={data}
              rowKey={({ at, action, target, request_id }) => [at, action, target.id, request_id].join(' ')}
              empty={labels.empty}
            />
            <Pager pagination={pagination} onPage={(page) => setParameters({ page: String(page) })} />
          </>
        )}
      </Loaded>
    </SettingsFrame>
  );
}
