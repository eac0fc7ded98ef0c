import type { Schemas } from '../../api/client';
import type { Series } from '../../api/series';
import { PAGE_SIZE } from '../../api/read-pages';
import { isPlanned } from '../../domain/campaign-waiting';
import type { Listed } from '../../domain/campaign-progress';
import { momentText } from '../../ui/moment';
import type { Problem } from '../../ui/problem-list';
import { texts } from '../../texts';

interface Deliveries {
  data: Schemas['DeliveryDto'][];
  pagination: Schemas['Pagination'];
}

const { problems: labels } = texts.overview;

export const DAY_MS = 86_400_000;

/** The reasons of calls that ended before a runtime took them. */
export const NOT_TAKEN: NonNullable<Schemas['CallDto']['disconnect_reason']>[] = [
  'dispatch_expired',
  'dispatch_failed',
];

/** The number of entries that are read, which is the largest page of the API. */
export const LIMIT = 100;

/** Credits that last fewer days than this are running out. */
const FEW_DAYS = 3;

/** Adds a link to the page with the details to each problem. */
export const linked = (problems: Problem[], href: string): Problem[] =>
  problems.map((problem) => ({ href, link: labels.open, ...problem }));

const isOlderThanDay = (time: string) => Date.now() - Date.parse(time) > DAY_MS;

/**
 * The problem of calls that no runtime took.
 * @param since as an input has it: 2026-01-31T08:05
 */
export function notTakenProblems(count: number, since: string): Problem[] {
  if (count === 0) return [];
  const query = new URLSearchParams(NOT_TAKEN.map((reason) => ['disconnect_reason', reason]));
  query.set('start_date', since);
  return [
    {
      text: labels.notTaken(count),
      advice: labels.notTakenAdvice,
      isBad: false,
      href: `/calls?${query}`,
      link: labels.failedCalls,
    },
  ];
}

/**
 * The problem of failed webhooks, which stays until each is sent again or deleted. The overview sends one page of them
 * again. If there are more, only the page of webhooks does so, because the sending can be stopped there.
 * @param givenUp the latest one, and their number
 * @param resend sends all again
 */
export function givenUpProblems(
  { data: [latest], pagination: { total } }: Deliveries,
  resend: () => Promise<unknown>,
  dismiss: (until: string) => Promise<unknown>,
): Problem[] {
  if (!latest) return [];
  const at = latest.given_up_at ?? latest.created_at;
  return [
    {
      text: labels.webhooksGivenUp(total),
      advice: labels.webhooksGivenUpAdvice(momentText(at)),
      isBad: true,
      href: '/webhooks?status=failed&sortBy=given_up_at',
      link: labels.open,
      acts: [
        ...(total <= PAGE_SIZE
          ? [{ label: texts.webhooks.replayMany(total), needs: 'operate', run: resend } as const]
          : []),
        { label: texts.webhooks.dismiss, needs: 'operate', run: () => dismiss(at) },
      ],
    },
  ];
}

/** The acts of a person on an unknown invocation of a tool. */
export interface InvocationActs {
  resolve: (invocationId: string, state: 'done' | 'refused') => Promise<unknown>;
  resend: (invocationId: string) => Promise<unknown>;
}

/** One problem for each of the latest unknown invocations of tools. */
export function unknownProblems(
  {
    data,
    pagination: { total },
  }: { data: Schemas['ListedInvocationDto'][]; pagination: Schemas['Pagination'] },
  { resolve, resend }: InvocationActs,
): Problem[] {
  const words = texts.tools.unknown;
  const shown = data.map(({ invocation_id: id, call_id, tool, asked_at, error }): Problem => ({
    id,
    text: words.text(tool, momentText(asked_at)),
    advice: words.advice(error),
    isBad: true,
    href: `/calls/${call_id}`,
    link: words.open,
    acts: [
      { label: words.done, needs: 'operate', run: () => resolve(id, 'done') },
      { label: words.notDone, needs: 'operate', run: () => resolve(id, 'refused') },
      {
        label: words.again,
        needs: 'operate',
        question: { title: words.againTitle(tool), text: words.againText },
        run: () => resend(id),
      },
    ],
  }));
  const others = total - data.length;
  if (others <= 0) return shown;
  return [...shown, { text: words.more(others), advice: words.moreAdvice, isBad: true }];
}

/** The problem of webhooks that have failed and will be retried. */
export function failingProblems({ data }: Pick<Deliveries, 'data'>): Problem[] {
  const failing = data.filter(({ last_error }) => last_error !== null);
  if (failing.length === 0) return [];
  return [
    {
      text: labels.webhooksFailing(failing.length),
      advice: labels.webhooksFailingAdvice(failing[0]?.last_error ?? ''),
      isBad: false,
      href: '/webhooks?status=pending',
      link: labels.open,
    },
  ];
}

type Waiting = NonNullable<Listed['waiting']>;

type Place = Pick<Problem, 'href' | 'link'>;

const RUNTIMES: Place = { href: '/runtimes', link: labels.openRuntimes };

/** The pages that show more about a reason why a campaign waits than the page of the campaign. */
const PLACES: Partial<Record<Waiting['reason'], Place>> = {
  no_credits: { href: '/settings/credits', link: labels.openCredits },
  no_runtime: RUNTIMES,
  broker_away: RUNTIMES,
  workspace_full: { href: '/live', link: labels.openLive },
};

const findPlace = ({ campaign_id, assistantId }: Listed, { reason }: Waiting): Place =>
  reason === 'agent_off'
    ? { href: `/agents/${assistantId}`, link: labels.openAgent }
    : (PLACES[reason] ?? { href: `/campaigns/${campaign_id}`, link: labels.open });

export const campaignProblems = (campaigns: Listed[]): Problem[] =>
  campaigns.flatMap((campaign) =>
    campaign.waiting && !isPlanned(campaign.waiting)
      ? {
          text: labels.campaignWaits(campaign.campaignName),
          advice: texts.campaigns.waitingBecause(texts.campaigns.reasons[campaign.waiting.reason]),
          isBad: true,
          ...findPlace(campaign, campaign.waiting),
        }
      : [],
  );

/**
 * The problem of each knowledge base with sources that could not be read.
 * @param fetchAgain fetches links anew; a file has to be chosen on the page of the knowledge base
 */
export const sourceProblems = (
  knowledgeBases: Schemas['KnowledgeBaseDto'][],
  fetchAgain: (knowledgeBaseId: string, links: Schemas['SourceDto'][]) => Promise<unknown>,
): Problem[] =>
  knowledgeBases.flatMap(({ _id, name, sources }) => {
    // A source that is fetched again stays failed until its new content is complete.
    const failed = sources.filter(
      ({ status, replacement }) => status === 'failed' && (!replacement || replacement.status === 'failed'),
    );
    if (failed.length === 0) return [];
    const run = () => fetchAgain(_id, failed);
    return {
      text: labels.sourcesFailed(failed.length, name),
      advice: labels.sourcesFailedAdvice(failed[0]?.metadata.reason ?? ''),
      isBad: false,
      href: `/knowledge/${_id}`,
      link: labels.open,
      acts: failed.every(({ type }) => type === 'link')
        ? [{ label: texts.knowledge.fetchAgain, needs: 'administer', run }]
        : [],
    };
  });

/** @param resume resumes the campaign with an id */
export const pausedProblems = (
  campaigns: Listed[],
  resume: (campaignId: string) => Promise<unknown>,
): Problem[] =>
  campaigns
    .filter(({ updatedAt }) => isOlderThanDay(updatedAt))
    .map(({ campaign_id, campaignName, updatedAt }) => ({
      text: labels.campaignPaused(campaignName),
      advice: labels.campaignPausedAdvice(momentText(updatedAt)),
      isBad: false,
      href: `/campaigns/${campaign_id}`,
      link: labels.open,
      acts: [{ label: texts.campaigns.detail.resume, needs: 'operate', run: () => resume(campaign_id) }],
    }));

/** @param week the calls of the last seven days */
export function creditProblems(credits: number, { totals }: Series): Problem[] {
  const common = { href: '/settings/credits', link: labels.open };
  if (credits <= 0)
    return [{ text: labels.noCredits, advice: labels.noCreditsAdvice, isBad: true, ...common }];
  const days = totals.credits === 0 ? Infinity : Math.floor(credits / (totals.credits / 7));
  if (days >= FEW_DAYS) return [];
  return [
    { text: labels.fewCredits(credits), advice: labels.fewCreditsAdvice(days), isBad: false, ...common },
  ];
}
