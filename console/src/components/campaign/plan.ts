import type { Schemas } from '../../api/client';
import { texts } from '../../texts';

export type Campaign = Schemas['CampaignDetailDto'];
export type CallingWindow = Campaign['windows'][number];
export type Day = CallingWindow['days'][number];
export type Retry = NonNullable<Campaign['retry']>;

const { plan: words, days: dayTexts } = texts.campaigns;

export const DAYS = Object.keys(dayTexts) as Day[];

/** Days that follow each other as Mon–Fri. */
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

/** As Mon–Fri 09:00–17:30. */
export const windowText = ({ days, start, end }: CallingWindow) => `${daysText(days)} ${start}–${end}`;

export const windowsText = (windows: CallingWindow[]) =>
  windows.length === 0 ? texts.campaigns.always : windows.map(windowText).join('; ');

export const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** The pauses before each retry: the last one counts for the rest. */
export const pausesOf = ({ max, afterMinutes }: Retry): number[] =>
  Array.from({ length: max }, (_, index) => afterMinutes[index] ?? afterMinutes.at(-1) ?? 0);

export const retryText = (retry: Campaign['retry']) =>
  retry === null || retry.max === 0
    ? words.noRetry
    : words.retryText(
        retry.max,
        retry.on.map((end) => words.ends[end]).join(', '),
        pausesOf(retry).join(', '),
      );

/** What somebody edits. Texts are as the inputs have them. */
export interface PlanDraft {
  timezone: string;
  windows: CallingWindow[];
  concurrency: string;
  callsPerSecond: string;
  retry: Retry | null;
  /** By the viewer's clock, as 2026-01-31T09:00. */
  expiresAt: string;
}

const two = (value: number) => String(value).padStart(2, '0');

/** A time by the viewer's clock, as an input has it. */
export function localText(at: string | null): string {
  if (at === null) return '';
  const date = new Date(at);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

export const isComplete = ({ windows, retry }: PlanDraft) =>
  windows.every(({ days }) => days.length > 0) && (retry === null || retry.on.length > 0);
