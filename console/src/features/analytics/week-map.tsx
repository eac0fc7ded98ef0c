import { memo } from 'react';
import { Link } from 'wouter';
import { NO_SUMS, type Series } from '../../api/series';
import { MIN_SAMPLE, sampleText } from '../../domain/small-sample';
import { Button } from '../../ui/button';
import { type HeatCell, HeatMap } from '../../ui/chart/heat-map';
import { saveCsv } from '../../ui/csv';
import { getFormat, hourText, hoursText, momentText } from '../../ui/moment';
import { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { Section } from '../../ui/page';
import { Table } from '../../ui/table/table';
import { texts } from '../../texts';
import { callsHref } from './call-links';
import { getSampleOf, isSmallSample, showWithCalls } from './metrics';
import type { ReportQuery } from './report-query';
import { SUM_CELLS, untilNow } from './rows';
import { sumColumns } from './sum-columns';
import { cellName, HOURS, type HourOfCell, toWeek, WEEKDAYS, type WeekCell } from './week';
import styles from './analytics.module.css';

const labels = texts.analytics;

// 2 March 2026 is a Monday.
const dayNames = (style: 'short' | 'long') => {
  const format = getFormat({ weekday: style, timeZone: 'UTC' });
  return WEEKDAYS.map((weekday) => format.format(Date.UTC(2026, 2, 1 + weekday)));
};

const two = (value: number) => String(value).padStart(2, '0');
const listHours = (hour: number) => `${hoursText(`${two(hour)}:00`)}–${hoursText(`${two(hour + 1)}:00`)}`;

const getCount = ({ calls }: { calls: number }) => calls;
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

interface Props {
  report: ReportQuery;
  /** A series of hours. */
  series: Series;
  /** The number of days, if they are only the last ones of the period. */
  lastDays: number | undefined;
}

/** A metric by weekday and hour. A cell leads to its calls, or shows its hours if it has several. */
export const WeekMap = memo(function WeekMap({ report, series, lastDays }: Props) {
  const { metric } = report;
  const [parameters] = useQueryParameters();
  const chosen = parameters.get('cell');
  const getHref = (cell: string) => {
    const next = new URLSearchParams(parameters);
    next.set('cell', cell);
    return `/analytics?${next}`;
  };
  const week = toWeek(untilNow(series));
  const title = labels.heatMap(metric.name);
  const [short, long] = [dayNames('short'), dayNames('long')];
  const values = [...week.values()].filter(({ sums }) => sums.calls > 0).map(({ sums }) => metric.of(sums));
  const largest = metric.isShare ? 1 : Math.max(0, ...values.filter((value) => !Number.isNaN(value)));
  // One strong hour would make all others pale. A share of all calls needs no such scale.
  const toShade = metric.isShare ? (share: number) => share : Math.sqrt;
  const getCell = (weekday: number, hour: number): HeatCell | undefined => {
    const name = cellName(weekday, hour);
    const cell = week.get(name);
    if (!cell || cell.sums.calls === 0) return undefined;
    const value = metric.of(cell.sums);
    const used = cell.hours.filter(getCount);
    const [only] = used;
    return {
      share: Number.isNaN(value) || largest === 0 ? 0 : toShade(value / largest),
      text: shortText(metric.show(value), value, metric),
      title: labels.cellTitle(
        long[weekday - 1] ?? '',
        listHours(hour),
        metric.name,
        showWithCalls(metric, cell.sums),
      ),
      isSmall: isSmallSample(metric, cell.sums),
      href: used.length === 1 && only ? callsHref(report, only.within) : getHref(name),
      isChosen: name === chosen,
    };
  };
  const save = () =>
    saveCsv(
      'calls by weekday and hour',
      [['weekday', ({ weekday }) => weekday], ['hour', ({ hour }) => hour], ...SUM_CELLS],
      WEEKDAYS.flatMap((weekday) =>
        HOURS.map((hour) => ({
          weekday,
          hour,
          ...(week.get(cellName(weekday, hour))?.sums ?? NO_SUMS),
        })),
      ),
    );
  const isEmpty = values.length === 0;
  const cells = WEEKDAYS.map((weekday) => HOURS.map((hour) => getCell(weekday, hour)));
  return (
    <Section title={title} actions={!isEmpty && <Button onClick={save}>{texts.common.exportCsv}</Button>}>
      {isEmpty ? (
        <p className={styles.muted}>{texts.common.empty}</p>
      ) : (
        <>
          <HeatMap
            label={title}
            corner={labels.weekday}
            rows={short}
            columns={HOURS.map(hourText)}
            labelEvery={3}
            cells={cells}
            scale={{ low: metric.show(0), high: metric.show(largest) }}
          />
          <p className={styles.muted}>
            {labels.heatMapText(report.timezone.replaceAll('_', ' '))}{' '}
            {lastDays !== undefined && labels.heatMapDays(lastDays)}{' '}
            {cells.flat().some((cell) => cell?.isSmall) &&
              labels.smallCells(sampleText(getSampleOf(metric), MIN_SAMPLE))}
          </p>
          <ChosenCell report={report} chosen={chosen} week={week} names={long} />
        </>
      )}
    </Section>
  );
});

/** A value that fits into a cell. */
function shortText(shown: string, value: number, { isShare, isTime }: ReportQuery['metric']): string {
  if (Number.isNaN(value)) return shown;
  if (isShare) return String(Math.round(100 * value));
  if (isTime) return value >= 3_600 ? `${compact.format(value / 3_600)}h` : shown;
  return compact.format(value);
}

interface ChosenProps {
  report: ReportQuery;
  chosen: string | null;
  week: Map<string, WeekCell>;
  names: string[];
}

/** The hours of the chosen cell, each with a link to its calls. */
function ChosenCell({ report, chosen, week, names }: ChosenProps) {
  const cell = chosen === null ? undefined : week.get(chosen);
  const [weekday = 0, hour = 0] = (chosen ?? '').split('-').map(Number);
  if (!cell) return null;
  const title = labels.cellHours(names[weekday - 1] ?? '', listHours(hour));
  return (
    <div className={styles.stack} aria-live="polite">
      <h3>{title}</h3>
      <Table<HourOfCell>
        caption={title}
        rows={cell.hours.filter(getCount)}
        rowKey={({ at }) => at}
        columns={[
          {
            key: 'start',
            header: labels.start,
            cell: ({ at, within }) => (
              <Link href={callsHref(report, within)}>{momentText(at, { timeZone: report.timezone })}</Link>
            ),
          },
          ...sumColumns<HourOfCell>(),
        ]}
      />
    </div>
  );
}
