import type { Command } from 'commander';
import { QUERY_FIELDS } from '../../generated/cli-options';
import type { Schemas } from '../../types';
import type { Cli } from '../cli';
import { addCommand, isJson } from '../command';
import { addFields, FILTER_NAMES, readQuery } from '../flags';

type Series = Schemas['CallSeriesDto'];

/** The flags with which the numbers are shown over time. */
const SERIES_FLAGS = ['interval', 'group_by'];

interface Row {
  start: string;
  label: string | null;
  sums: Schemas['SeriesSumsDto'];
}

const COLUMNS = {
  start: ({ start }: Row) => start,
  group: ({ label }: Row) => label,
  calls: ({ sums }: Row) => sums.calls,
  connected: ({ sums }: Row) => sums.connected,
  failed: ({ sums }: Row) => sums.failed,
  seconds: ({ sums }: Row) => sums.seconds,
  credits: ({ sums }: Row) => sums.credits,
};

export function addStatsCommand(program: Command, cli: Cli): void {
  const stats = addCommand(
    program,
    'stats',
    'show the numbers of calls; with --interval or --group-by over time',
  );
  addFields(stats, QUERY_FIELDS.getCallSeries, FILTER_NAMES);
  stats.action(async () => {
    const filter = readQuery(stats, 'getCallSeries', FILTER_NAMES);
    const isOverTime = SERIES_FLAGS.some((flag) => flag in filter);
    // The number of intervals is limited, and the totals do not depend on them.
    const interval = filter.interval ?? (isOverTime ? 'day' : 'month');
    const series = await (await cli.connect()).reports.series({ ...filter, interval });
    if (isJson(stats)) return cli.output.json(series);
    if (!isOverTime) return cli.output.object(series.totals);
    await cli.output.table(COLUMNS, listRows(series));
  });
}

/** The groups of each time that have calls. */
const listRows = ({ groups, buckets }: Series): Row[] =>
  buckets.flatMap(({ start, groups: counts, other }) => {
    const rows = counts.map((sums, index) => ({ start, label: groups[index]?.label ?? null, sums }));
    return [...rows, ...(other ? [{ start, label: 'others', sums: other }] : [])].filter(
      ({ sums }) => sums.calls > 0,
    );
  });
