import { useMemo } from 'react';
import { Loaded } from '../../ui/loaded';
import { FilterBar } from '../../ui/filters/filter-bar';
import { DAYS, readToday } from '../../ui/filters/periods';
import { SavedViews } from '../../domain/saved-views';
import { Page } from '../../ui/page';
import { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { texts } from '../../texts';
import { listFilters } from './analytics-filters';
import { DataTable } from './data-table';
import { Outcomes } from './outcomes';
import { readReportQuery } from './report-query';
import { ResponseTimes } from './response-times';
import { SideBySide } from './side-by-side';
import { Summary } from './summary';
import { Trend } from './trend';
import { Usage } from './usage';
import { useReport } from './use-report';
import { WeekMap } from './week-map';

/** The number of calls in a period and their results, beside the period before. */
export default function AnalyticsPage() {
  const [parameters, setParameters] = useQueryParameters();
  // The parts are rendered again only if what they show has changed. The usual period ends today.
  const choices = parameters.toString();
  const today = readToday(parameters);
  const report = useMemo(() => readReportQuery(new URLSearchParams(choices)), [choices, today]);
  const { series, ends, seriesBefore, endsBefore, groups, outcomes, hours, ...found } = useReport(report);
  const change: typeof setParameters = (changes, options) =>
    // Another period has an interval of its own.
    setParameters(
      'start' in changes || 'end' in changes ? { ...changes, interval: undefined } : changes,
      options,
    );
  return (
    <Page title={texts.analytics.title}>
      <FilterBar
        filters={listFilters(report)}
        times={DAYS}
        usualDays={report.period}
        state={[parameters, change]}
      >
        <SavedViews page="analytics" parameters={parameters} times={DAYS} />
      </FilterBar>
      <Loaded query={ends}>
        {(data) => (
          <Summary
            report={report}
            series={data}
            before={endsBefore.data}
            isSoFar={found.isSoFar}
            allCalls={found.allCalls}
          />
        )}
      </Loaded>
      <Loaded query={series}>
        {(data) => (
          <Trend report={report} series={data} before={report.isComparing ? seriesBefore.data : undefined} />
        )}
      </Loaded>
      <Loaded query={groups}>
        {(data) => <SideBySide report={report} group={found.sideGroup} series={data} />}
      </Loaded>
      <Loaded query={outcomes}>{(data) => <Outcomes report={report} series={data} />}</Loaded>
      <Loaded query={hours}>
        {(data) => <WeekMap report={report} series={data} lastDays={found.lastDays} />}
      </Loaded>
      <Loaded query={found.measured}>
        {(data) => (
          <>
            <ResponseTimes
              report={report}
              group={found.measuredGroup}
              measured={data}
              before={report.isComparing ? found.measuredBefore.data : undefined}
            />
            <Usage usage={data.totals.usage} />
          </>
        )}
      </Loaded>
      <Loaded query={series}>{(data) => <DataTable report={report} series={data} />}</Loaded>
    </Page>
  );
}
