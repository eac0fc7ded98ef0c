import { keepPreviousData } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { useConnection } from '../../api/connection';
import { useSeries } from '../../api/series';
import { daysBefore, dayText, inputText, zone } from '../../ui/moment';
import { FailureNotice } from '../../ui/failure-notice';
import { Loading } from '../../ui/loading';
import { Section } from '../../ui/page';
import { type Problem, ProblemList } from '../../ui/problem-list';
import { useMinute } from '../../ui/use-minute';
import { texts } from '../../texts';
import { runtimeProblems } from '../../domain/runtime-problems';
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
} from './problems';
import { useRunningCampaigns } from './running-campaigns';

const { attention, overview: labels } = texts;

/** The events of calls. A failed test event is shown to its sender only. */
const CALL_EVENTS: Schemas['DeliveryDto']['type'][] = ['call.started', 'call.ended', 'call.failed'];

const POLL_MS = 10_000;
const follow = { refetchInterval: POLL_MS };

/** The problems that stop calls now or soon. */
function useProblems() {
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
  const givenUp = api.useQuery(
    'get',
    '/api/webhooks/deliveries',
    { params: { query: { status: 'failed', type: CALL_EVENTS, sortBy: 'given_up_at', limit: 1 } } },
    follow,
  );
  const pending = api.useQuery('get', '/api/webhooks/deliveries', listed('pending'), follow);
  const week = useSeries({ start_date: dayText(daysBefore(new Date(), 6)), interval: 'day', timezone: zone });
  const running = useRunningCampaigns();
  const paused = api.useQuery('get', '/api/campaign', listed('paused'));
  const queries = [runtimes, notTaken, workspace, givenUp, pending, week, running, paused];
  const problems: Problem[] = [
    ...(runtimes.data ? linked(runtimeProblems(runtimes.data.data), '/runtimes') : []),
    ...(notTaken.data
      ? notTakenProblems(notTaken.data.pagination.total, inputText(dayAgo.toISOString()))
      : []),
    ...(givenUp.data ? givenUpProblems(givenUp.data) : []),
    ...(pending.data ? failingProblems(pending.data) : []),
    ...campaignProblems(running.data?.data ?? []),
    ...pausedProblems(paused.data?.data ?? []),
    ...(workspace.data && week.data ? creditProblems(workspace.data.data.credits, week.data) : []),
  ];
  return {
    problems,
    isLoaded: queries.every(({ data }) => data !== undefined),
    error: queries.find(({ error }) => error !== null)?.error,
  };
}

/** The list of problems. A new workspace without problems shows nothing. */
export function Attention({ isNew }: { isNew: boolean }) {
  const { problems, isLoaded, error } = useProblems();
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
