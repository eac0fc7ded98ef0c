import { memo } from 'react';
import { Link } from 'wouter';
import type { MeasurementGroup, Measurements } from '../../api/measurements';
import { isInBucket } from '../../api/series';
import { Tiles } from '../../domain/figure-tiles';
import { findRelativeChange } from '../../domain/figures';
import { SampledValue } from '../../domain/sampled-value';
import { isSmall, smallText } from '../../domain/small-sample';
import { Button } from '../../ui/button';
import { BarChart } from '../../ui/chart/bar-chart';
import { saveCsv } from '../../ui/csv';
import { latencyText } from '../../ui/moment';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table/table';
import { texts } from '../../texts';
import { callsHref, groupHref } from './call-links';
import { bucketNames } from './period';
import type { ReportQuery } from './report-query';
import { getBucketBounds, groupName } from './rows';
import styles from './analytics.module.css';

const labels = texts.analytics;

type Latency = Measurements['totals']['latency'];
type Group = Measurements['groups'][number];

interface Props {
  report: ReportQuery;
  group: MeasurementGroup;
  measured: Measurements;
  /** The period before; undefined: there is none. */
  before: Measurements | undefined;
}

const showLatency = (ms: number | null) => (ms === null ? texts.common.none : latencyText(ms));

/** The time in which agents answered: at all, over time, and by group. */
export const ResponseTimes = memo(function ResponseTimes({ report: shown, group, measured, before }: Props) {
  // Latency is known of all calls only.
  const report: ReportQuery = { ...shown, counted: 'all' };
  const { latency } = measured.totals;
  if (latency.turns === 0)
    return (
      <Section title={labels.responseTimes}>
        <p className={styles.muted}>{labels.noResponseTimes}</p>
      </Section>
    );
  return (
    <Section title={labels.responseTimes}>
      <Figures now={latency} before={before?.totals.latency} isComparing={report.isComparing} />
      <Chart report={report} measured={measured} />
      <p className={styles.muted}>{labels.responseTimesText}</p>
      <Groups
        report={report}
        group={group}
        groups={measured.groups.filter(({ latency: { turns } }) => turns > 0)}
      />
    </Section>
  );
});

interface FiguresProps {
  now: Latency;
  before: Latency | undefined;
  isComparing: boolean;
}

function Figures({ now, before, isComparing }: FiguresProps) {
  const toTile = (name: 'p50_ms' | 'p95_ms', label: string) => {
    const [value, then] = [now[name], before?.[name]];
    const since = value !== null && then ? findRelativeChange(value, then, 'less') : undefined;
    return {
      key: name,
      name: label,
      value: showLatency(value),
      change: isComparing ? { since } : undefined,
      small: smallText('answers', now.turns),
    };
  };
  return (
    <Tiles
      label={labels.responseTimes}
      tiles={[
        toTile('p50_ms', labels.p50),
        toTile('p95_ms', labels.p95),
        { key: 'turns', name: labels.answers, value: now.turns.toLocaleString() },
      ]}
    />
  );
}

const MS_PER_SECOND = 1_000;

/** The median as a bar, and the 95th percentile as a line above it. A bar leads to its calls. */
function Chart({ report, measured }: Pick<Props, 'report' | 'measured'>) {
  const names = bucketNames(measured);
  const bars = measured.buckets.map((bucket, index) => {
    const { p50_ms, p95_ms, turns } = bucket.latency;
    const label = names[index] ?? '';
    const isNow = isInBucket(bucket, measured.as_of);
    return {
      label,
      title: labels.responseTitle(
        isNow ? texts.common.soFar(label) : label,
        showLatency(p50_ms),
        showLatency(p95_ms),
      ),
      isUnfinished: isNow,
      isPale: isSmall(turns),
      value: p50_ms ?? 0,
      reach: p95_ms ?? undefined,
      href: turns > 0 ? callsHref(report, getBucketBounds(bucket)) : undefined,
    };
  });
  return <BarChart label={labels.responseTimes} bars={bars} unit={MS_PER_SECOND} show={latencyText} />;
}

const SampledLatency = ({ latency, name }: { latency: Latency; name: 'p50_ms' | 'p95_ms' }) => (
  <SampledValue small={smallText('answers', latency.turns)}>{showLatency(latency[name])}</SampledValue>
);

interface GroupsProps {
  report: ReportQuery;
  group: MeasurementGroup;
  groups: Group[];
}

function Groups({ report, group, groups }: GroupsProps) {
  const title = `${labels.responseTimes}: ${labels.sideBySide[group]}`;
  const columns: Column<Group>[] = [
    {
      key: 'group',
      header: labels.groups[group],
      cell: (row) => {
        const href = groupHref(report, group, row.key);
        return href ? <Link href={href}>{groupName(row)}</Link> : groupName(row);
      },
    },
    {
      key: 'p50',
      header: labels.p50,
      cell: ({ latency }) => <SampledLatency latency={latency} name="p50_ms" />,
      align: 'end',
    },
    {
      key: 'p95',
      header: labels.p95,
      cell: ({ latency }) => <SampledLatency latency={latency} name="p95_ms" />,
      align: 'end',
    },
    {
      key: 'answers',
      header: labels.answers,
      cell: ({ latency }) => latency.turns.toLocaleString(),
      align: 'end',
      isMinor: true,
    },
  ];
  const save = () =>
    saveCsv<Group>(
      `response times by ${group}`,
      [
        ['key', ({ key }) => key ?? ''],
        ['group', groupName],
        ['p50_ms', ({ latency }) => latency.p50_ms ?? ''],
        ['p95_ms', ({ latency }) => latency.p95_ms ?? ''],
        ['turns', ({ latency }) => latency.turns],
      ],
      groups,
    );
  return (
    <>
      <Table caption={title} columns={columns} rows={groups} rowKey={({ key }) => key ?? ''} />
      <div>
        <Button onClick={save}>{texts.common.exportCsv}</Button>
      </div>
    </>
  );
}
