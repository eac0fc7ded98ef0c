import { api } from '../../api/client';
import { useSeries } from '../../api/series';
import { daysBefore, dayText, zone } from '../../components/days';
import { FailureNotice } from '../../components/failure-notice';
import { Loading } from '../../components/loading';
import { Section } from '../../components/page';
import { type Problem, ProblemList } from '../../components/problem-list';
import { texts } from '../../texts';
import { runtimeProblems } from '../runtimes/runtime-problems';
import {
  campaignProblems,
  creditProblems,
  failingProblems,
  givenUpProblems,
  LIMIT,
  linked,
  pausedProblems,
} from './problems';
import { useRunningCampaigns } from './running-campaigns';

const { attention, overview: labels } = texts;

const EVERY_MS = 10_000;
const follow = { refetchInterval: EVERY_MS };

/** What keeps calls from working, or soon will. */
function useProblems() {
  const runtimes = api.useQuery('get', '/api/runtimes', {}, follow);
  const workspace = api.useQuery('get', '/api/workspace');
  const listed = <Status extends string>(status: Status) => ({
    params: { query: { status, limit: LIMIT } },
  });
  const givenUp = api.useQuery('get', '/api/webhooks/deliveries', listed('failed'), follow);
  const pending = api.useQuery('get', '/api/webhooks/deliveries', listed('pending'), follow);
  const week = useSeries({ start_date: dayText(daysBefore(new Date(), 6)), interval: 'day', timezone: zone });
  const running = useRunningCampaigns();
  const paused = api.useQuery('get', '/api/campaign', listed('paused'));
  const queries = [runtimes, workspace, givenUp, pending, week, running, paused];
  const problems: Problem[] = [
    ...(runtimes.data ? linked(runtimeProblems(runtimes.data.data), '/runtimes') : []),
    ...(givenUp.data ? givenUpProblems(givenUp.data) : []),
    ...(pending.data ? failingProblems(pending.data) : []),
    ...campaignProblems(running.data?.data ?? []),
    ...pausedProblems(paused.data?.data ?? []),
    ...(workspace.data && week.data ? creditProblems(workspace.data.data.credits, week.data) : []),
  ];
  return {
    problems,
    isKnown: queries.every(({ data }) => data !== undefined),
    error: queries.find(({ error }) => error !== null)?.error,
  };
}

/** On a new workspace, nothing is said while nothing is wrong. */
export function Attention({ isNew }: { isNew: boolean }) {
  const { problems, isKnown, error } = useProblems();
  return (
    <>
      {error && <FailureNotice error={error} />}
      {!isKnown && !error && <Loading />}
      <div role="status" hidden={problems.length === 0 && (isNew || !isKnown)}>
        {problems.length > 0 ? (
          <Section title={attention.title}>
            <ProblemList label={attention.title} badges={attention.badges} problems={problems} />
          </Section>
        ) : (
          <p>{isKnown && !isNew && labels.attentionNone}</p>
        )}
      </div>
    </>
  );
}
