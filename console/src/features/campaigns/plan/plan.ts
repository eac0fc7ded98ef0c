import type { Schemas } from '../../../api/client';
import { texts } from '../../../texts';
import { hoursText } from '../../../ui/moment';

export type Campaign = Schemas['CampaignDetailDto'];
export type CallingWindow = Campaign['windows'][number];
export type Day = CallingWindow['days'][number];
export type Retry = NonNullable<Campaign['retry']>;

const { plan: labels, days: dayTexts } = texts.campaigns;

export const DAYS = Object.keys(dayTexts) as Day[];

/** Formats consecutive days as Mon–Fri. */
function daysText(days: Day[]): string {
  const runs: Day[][] = [];
  for (const day of DAYS.filter((known) => days.includes(known))) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && DAYS.indexOf(last) === DAYS.indexOf(day) - 1) run.push(day);
    else runs.push([day]);
  }
  return runs
    .map((run) => {
      const [first, last] = [run[0], run.at(-1)].map((day) => day && dayTexts[day]);
      return run.length === 1 ? first : run.length === 2 ? `${first}, ${last}` : `${first}–${last}`;
    })
    .join(', ');
}

/** Formats a window as Mon–Fri 09:00–17:30. */
export const windowText = ({ days, start, end }: CallingWindow) =>
  `${daysText(days)} ${hoursText(start)}–${hoursText(end)}`;

export const windowsText = (windows: CallingWindow[]) =>
  windows.length === 0 ? texts.campaigns.always : windows.map(windowText).join('; ');

export const toMinutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** The pause before each retry. The last pause is repeated. */
export const listPauses = ({ max, afterMinutes }: Retry): number[] =>
  Array.from({ length: max }, (_, index) => afterMinutes[index] ?? afterMinutes.at(-1) ?? 0);

export const retryText = (retry: Campaign['retry']) =>
  retry === null || retry.max === 0
    ? labels.noRetry
    : labels.retryText(
        retry.max,
        retry.on.map((end) => labels.ends[end]).join(', '),
        listPauses(retry).join(', '),
      );

/** The edited values. A text has the format of its input. */
export interface PlanDraft {
  timezone: string;
  windows: CallingWindow[];
  concurrency: string;
  callsPerSecond: string;
  retry: Retry | null;
  /** The time by the viewer's clock, as 2026-01-31T09:00. */
  expiresAt: string;
}

export const isComplete = ({ windows, retry }: PlanDraft) =>
  windows.every(({ days }) => days.length > 0) && (retry === null || retry.on.length > 0);
