import type { Schemas } from '../../api/client';
import type { Series } from '../../api/series';
import type { Listed } from '../../components/campaign/progress-of';
import type { Problem } from '../../components/problem-list';
import { texts } from '../../texts';

interface Deliveries {
  data: Schemas['DeliveryDto'][];
  pagination: Schemas['Pagination'];
}

const { problems: labels } = texts.overview;

const DAY_MS = 86_400_000;

/** Credits that last fewer days than this are running out. */
const FEW_DAYS = 3;

/** The same problems with a link to where more about them is. */
export const linked = (problems: Problem[], href: string): Problem[] =>
  problems.map((problem) => ({ href, link: labels.open, ...problem }));

/** @param givenUp the newest; one of an earlier day is no news */
export function givenUpProblems({ data: [latest], pagination }: Deliveries): Problem[] {
  if (!latest || Date.now() - Date.parse(latest.created_at) > DAY_MS) return [];
  return [
    {
      text: labels.webhooksGivenUp(pagination.total),
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
