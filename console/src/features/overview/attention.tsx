import { keepPreviousData } from '@tanstack/react-query';
import { api, client, type Schemas } from '../../api/client';
import { useConnection } from '../../api/connection';
import { fetchSource } from '../../api/fetch-source';
import { getWeek } from '../../ui/filters/periods';
import { inputText } from '../../ui/moment';
import { FailureNotice } from '../../ui/failure-notice';
import { Loading } from '../../ui/loading';
import { Section } from '../../ui/page';
import { type Problem, ProblemList } from '../../ui/problem-list';
import { useMinute } from '../../ui/use-minute';
import { texts } from '../../texts';
import { runtimeProblems } from '../../domain/runtime-problems';
import {
  dismissGivenUpWebhooks,
  readGivenUpWebhooks,
  resendWebhook,
  useGivenUpWebhooks,
} from '../../api/given-up-webhooks';
import {
  campaignProblems,
  creditProblems,
  DAY_MS,
  failingProblems,
  givenUpProblems,
  LIMIT,
  linked,
  NOT_TAKEN,
  notTakenProblems,
  pausedProblems,
  sourceProblems,
  unknownProblems,
} from './problems';
import { useRunningCampaigns } from './running-campaigns';
import { useWeek } from './use-week';

const attention = texts.attention;
const labels = texts.overview;

const POLL_MS = 10_000;
const follow = { refetchInterval: POLL_MS };

/** The unknown invocations that are listed at once. */
const UNKNOWN_SHOWN = 5;
/** Events announce those of calls in progress, but not that another person settles an older one. */
const SETTLED_MS = 60_000;

/** The problems that stop calls now or soon. */
export function useProblems() {
  const week = useWeek('all');
  const runtimes = api.useQuery('get', '/api/runtimes', {}, follow);
  const dayAgo = new Date(useMinute().getTime() - DAY_MS);
  // The period moves each minute, which reads the number again.
  const notTaken = api.useQuery(
    'get',
    '/api/calls',
    { params: { query: { disconnect_reason: NOT_TAKEN, start_date: dayAgo.toISOString(), limit: 1 } } },
    { placeholderData: keepPreviousData },
  );
  const workspace = api.useQuery('get', '/api/workspace');
  const listed = <Status extends string>(status: Status) => ({
    params: { query: { status, limit: LIMIT } },
  });
  const givenUp = useGivenUpWebhooks(POLL_MS);
  const pending = api.useQuery('get', '/api/webhooks/deliveries', listed('pending'), follow);
  const unknown = api.useQuery(
    'get',
    '/api/tool-invocations',
    { params: { query: { state: 'unknown', start_date: getWeek().start, limit: UNKNOWN_SHOWN } } },
    { refetchInterval: SETTLED_MS },
  );
  const running = useRunningCampaigns();
  const paused = api.useQuery('get', '/api/campaign', listed('paused'));
  const knowledge = api.useQuery('get', '/api/knowledge-base', { params: { query: { limit: LIMIT } } });
  const queries = [
    runtimes,
    notTaken,
    workspace,
    givenUp,
    pending,
    week,
    unknown,
    running,
    paused,
    knowledge,
  ];
  const resend = async () => {
    for (const { delivery_id } of await readGivenUpWebhooks(1)) await resendWebhook(delivery_id);
    await Promise.all([givenUp.refetch(), pending.refetch()]);
  };
  const dismiss = async (until: string) => {
    await dismissGivenUpWebhooks(until);
    await givenUp.refetch();
  };
  const settle = async (request: Promise<unknown>) => {
    try {
      await request;
    } finally {
      // Another person may have settled it.
      await unknown.refetch();
    }
  };
  const acts = {
    resolve: (invocation_id: string, state: 'done' | 'refused') =>
      settle(
        client.POST('/api/tool-invocations/{invocation_id}/resolve', {
          params: { path: { invocation_id } },
          body: { state, note: '' },
        }),
      ),
    resend: (invocation_id: string) =>
      settle(
        client.POST('/api/tool-invocations/{invocation_id}/resend', { params: { path: { invocation_id } } }),
      ),
  };
  const resume = async (campaign_id: string) => {
    await client.POST('/api/campaign/{campaign_id}/resume', { params: { path: { campaign_id } } });
    await Promise.all([paused.refetch(), running.refetch()]);
  };
  const fetchAgain = async (id: string, links: Schemas['SourceDto'][]) => {
    try {
      await Promise.all(links.map(({ _id, url }) => fetchSource(id, _id, url)));
    } finally {
      await knowledge.refetch();
    }
  };
  // The most urgent first: those that stop all calls are above those of one campaign.
  const problems: Problem[] = [
    ...(runtimes.data ? linked(runtimeProblems(runtimes.data.data), '/runtimes') : []),
    ...(workspace.data && week.data ? creditProblems(workspace.data.data.credits, week.data) : []),
    ...(notTaken.data
      ? notTakenProblems(notTaken.data.pagination.total, inputText(dayAgo.toISOString()))
      : []),
    ...(unknown.data ? unknownProblems(unknown.data, acts) : []),
    ...campaignProblems(running.data?.data ?? []),
    ...(givenUp.data ? givenUpProblems(givenUp.data, resend, dismiss) : []),
    ...(pending.data ? failingProblems(pending.data) : []),
    ...sourceProblems(knowledge.data?.data ?? [], fetchAgain),
    ...pausedProblems(paused.data?.data ?? [], resume),
  ];
  return {
    problems,
    isLoaded: queries.every(({ data }) => data !== undefined),
    error: queries.find(({ error }) => error !== null)?.error,
  };
}

/** The list of problems. A new workspace without problems shows nothing. */
export function Attention({ found, isNew }: { found: ReturnType<typeof useProblems>; isNew: boolean }) {
  const { problems, isLoaded, error } = found;
  const { isAway } = useConnection();
  return (
    <>
      {error && <FailureNotice error={error} />}
      {!isLoaded && !error && <Loading />}
      <div role="status" hidden={problems.length === 0 && (isNew || !isLoaded)}>
        {problems.length > 0 ? (
          <Section title={attention.title}>
            <ProblemList label={attention.title} badges={attention.badges} problems={problems} />
          </Section>
        ) : (
          <p>{isLoaded && !isNew && !isAway && labels.attentionNone}</p>
        )}
      </div>
    </>
  );
}
