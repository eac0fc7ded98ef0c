import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, client, type Schemas } from '../../api/client';
import { readPages } from '../../api/read-pages';
import { Badge } from '../../ui/badge';
import { Loaded } from '../../ui/loaded';
import { Section } from '../../ui/page';
import { Table } from '../../ui/table/table';
import { TimeText } from '../../ui/time-text';
import { texts } from '../../texts';
import { RunStatus, whyOf } from './rehearsal-status';
import { useRuns } from './use-runs';

type Rehearsal = Schemas['RehearsalDto'];

const labels = texts.rehearsals;

/** The last run that has ended, unless it played the agent with fields that are not stored. */
const isShown = ({ ended_at, status, fields }: Schemas['RehearsalRunDto']) =>
  ended_at !== null && status !== 'cancelled' && fields === null;

/** The rehearsals that are stored, each with its result in the last run. */
export function LastResults({ agentId }: { agentId: string }) {
  const path = { agent_id: agentId };
  const rehearsals = useQuery({
    // The path stands where all others have it, so that live updates find it.
    queryKey: ['get', '/api/agents/{agent_id}/rehearsals', agentId],
    queryFn: () =>
      readPages(
        (query) => client.GET('/api/agents/{agent_id}/rehearsals', { params: { path, query } }),
        ({ rehearsal_id }) => rehearsal_id,
      ),
  });
  const runs = useRuns(agentId);
  const last = runs.data?.data.find(isShown);
  const run = api.useQuery(
    'get',
    '/api/rehearsal-runs/{run_id}',
    { params: { path: { run_id: last?.run_id ?? '' } } },
    { enabled: last !== undefined },
  );
  const results = new Map(run.data?.data.results.map((result) => [result.name, result]));
  return (
    <Section title={labels.short}>
      {last && (
        <p>
          <Link href={`/rehearsal-runs/${last.run_id}`}>{labels.lastRun(last.version)}</Link>{' '}
          <TimeText at={last.ended_at} />
        </p>
      )}
      <Loaded query={rehearsals}>
        {(stored) => (
          <Table<Rehearsal>
            caption={labels.short}
            rows={stored}
            rowKey={({ name }) => name}
            empty={labels.none}
            columns={[
              {
                key: 'name',
                header: labels.columns.name,
                cell: ({ name }) =>
                  last && results.has(name) ? (
                    <Link href={`/rehearsal-runs/${last.run_id}?${new URLSearchParams({ rehearsal: name })}`}>
                      {name}
                    </Link>
                  ) : (
                    name
                  ),
              },
              {
                key: 'last',
                header: labels.columns.last,
                cell: ({ name, enabled }) => {
                  const result = results.get(name);
                  if (result) return <RunStatus status={result.status} />;
                  return enabled ? texts.common.none : <Badge tone="plain">{labels.disabled}</Badge>;
                },
                phone: 'aside',
              },
              {
                key: 'why',
                header: labels.columns.why,
                cell: ({ name }) => {
                  const result = results.get(name);
                  return result && whyOf(result);
                },
                phone: 'rest',
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
