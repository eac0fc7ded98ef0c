import type { Series } from '../../../api/series';

/** Consecutive hours of the day in which calls were answered most often. */
export interface AnsweredHours {
  /** The first hour, 0 to 23, and the hour after the last one, 1 to 24. */
  from: number;
  until: number;
  calls: number;
  answered: number;
}

export interface AnsweredCalls {
  calls: number;
  answered: number;
  best: AnsweredHours[];
}

/** An hour with fewer calls says too little. */
const MIN_CALLS = 20;

/** An hour is good if its share is at least this multiple of the share of all hours. */
const BETTER = 1.1;

/**
 * Finds the hours of the day in which outgoing calls were answered most often.
 * @param series by hour, grouped by direction
 */
export function findBestHours({ buckets, timezone }: Series): AnsweredCalls {
  const format = new Intl.DateTimeFormat('en', { timeZone: timezone, hour: 'numeric', hourCycle: 'h23' });
  const hours = Array.from({ length: 24 }, () => ({ calls: 0, answered: 0 }));
  const all = { calls: 0, answered: 0 };
  for (const { start, groups } of buckets) {
    const outgoing = groups.find(({ key }) => key === 'outbound');
    const hour = hours[Number(format.format(Date.parse(start)))];
    if (!outgoing || !hour) continue;
    for (const sum of [hour, all]) {
      sum.calls += outgoing.calls;
      sum.answered += outgoing.connected;
    }
  }
  const best: AnsweredHours[] = [];
  for (const [from, { calls, answered }] of hours.entries()) {
    const isGood = calls >= MIN_CALLS && answered / calls >= (BETTER * all.answered) / all.calls;
    if (!isGood) continue;
    const last = best.at(-1);
    if (last?.until !== from) best.push({ from, until: from + 1, calls, answered });
    else
      Object.assign(last, {
        until: from + 1,
        calls: last.calls + calls,
        answered: last.answered + answered,
      });
  }
  best.sort((one, other) => other.answered / other.calls - one.answered / one.calls);
  return { ...all, best };
}
