import type { Schemas } from '../../api/client';
import type { Series } from '../../api/series';
import type { Listed } from '../../components/campaign/progress-of';
import type { Problem } from '../../components/problem-list';
import { texts } from '../../texts';

interface Deliveries {
  data: Schemas['DeliveryDto'][];
}

const { problems: labels } = texts.overview;

const DAY_MS = 86_400_000;

/** How many of a list are read at most, which is as many as a page of the API has. */
export const LIMIT = 100;

/** Credits that last fewer days than this are running out. */
const FEW_DAYS = 3;

/** The same problems with a link to where more about them is. */
export const linked = (problems: Problem[], href: string): Problem[] =>
  problems.map((problem) => ({ href, link: labels.open, ...problem }));

const isOlderThanDay = (time: string) => Date.now() - Date.parse(time) > DAY_MS;

/** @param deliveries the newest that were given up; test events and those of an earlier day are no news */
export function givenUpProblems({ data }: Deliveries): Problem[] {
  const recent = data.filter(
    ({ type, created_at }) => type !== 'webhook.test' && !isOlderThanDay(created_at),
  );
  const [latest] = recent;
  if (!latest) return [];
  return [
    {
      text: labels.webhooksGivenUp(recent.length, recent.length === data.length && data.length === LIMIT),
      advice: labels.webhooksGivenUpAdvice(new Date(latest.created_at).toLocaleString()),
      isBad: true,
      href: '/webhooks?status=failed',
      link: labels.open,
    },
  ];
}

/** Those that will be tried again, and have failed so far. */
export function failingProblems({ data }: Deliveries): Problem[] {
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

/** A campaign that waits for its hours or its pauses goes on by itself. */
const EXPECTED = ['outside_window', 'retry_pause'];

export const campaignProblems = (campaigns: Listed[]): Problem[] =>
  campaigns.flatMap(({ campaign_id, campaignName, waiting }) =>
    waiting
      ? {
          text: labels.campaignWaits(campaignName),
          advice: texts.campaigns.waitingBecause(texts.campaigns.reasons[waiting.reason]),
          isBad: !EXPECTED.includes(waiting.reason),
          href: `/campaigns/${campaign_id}`,
          link: labels.open,
        }
      : [],
  );

export const pausedProblems = (campaigns: Listed[]): Problem[] =>
  campaigns
    .filter(({ updatedAt }) => isOlderThanDay(updatedAt))
    .map(({ campaign_id, campaignName, updatedAt }) => ({
      text: labels.campaignPaused(campaignName),
      advice: labels.campaignPausedAdvice(new Date(updatedAt).toLocaleString()),
      isBad: false,
      href: `/campaigns/${campaign_id}`,
      link: labels.open,
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
