import { countContacts, type Series } from '../../api/series';
import { Loaded } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { texts } from '../../texts';
import { AnalyticsFilters } from './analytics-filters';
import { callsHref } from './call-links';
import { DataTable } from './data-table';
import { Outcomes } from './outcomes';
import { readReportQuery } from './report-query';
import { untilNow } from './rows';
import { SideBySide } from './side-by-side';
import { Summary } from './summary';
import { Trend } from './trend';
import { useReport } from './use-report';
import { WeekMap } from './week-map';

const getSums = (series: Series) => ({ ...series.totals, ...countContacts(series) });

/** The number of calls in a period and their results, beside the period before. */
export default function AnalyticsPage() {
  const [parameters, setParameters] = useQueryParameters();
  const report = readReportQuery(parameters);
  const { series, ends, seriesBefore, endsBefore, groups, outcomes, hours, ...found } = useReport(report);
  return (
    <Page title={texts.analytics.title}>
      <AnalyticsFilters report={report} onChange={setParameters} />
      <Loaded query={ends}>
        {(data) => (
          <Summary
            now={getSums(data)}
            before={
              report.isComparing
                ? {
                    period: found.before,
                    isSoFar: found.isSoFar,
                    totals: endsBefore.data && getSums(endsBefore.data),
                  }
                : undefined
            }
            asOf={data.as_of}
            href={callsHref(report)}
          />
        )}
      </Loaded>
      <Loaded query={series}>
        {(data) => (
          <Trend report={report} series={data} before={report.isComparing ? seriesBefore.data : undefined} />
        )}
      </Loaded>
      <Loaded query={groups}>
        {(data) => (
          <SideBySide
            report={report}
            group={found.sideGroup}
            series={data}
            sort={parameters.get('sort')}
            order={parameters.get('order')}
            onSort={(sort, order) => setParameters({ sort, order })}
          />
        )}
      </Loaded>
      <Loaded query={outcomes}>{(data) => <Outcomes report={report} series={untilNow(data)} />}</Loaded>
      <Loaded query={hours}>
        {(data) => (
          <WeekMap
            report={report}
            series={untilNow(data)}
            lastDays={found.lastDays}
            chosen={parameters.get('cell')}
            getHref={(cell) => {
              const next = new URLSearchParams(parameters);
              next.set('cell', cell);
              return `/analytics?${next}`;
            }}
          />
        )}
      </Loaded>
      <Loaded query={series}>{(data) => <DataTable report={report} series={untilNow(data)} />}</Loaded>
    </Page>
  );
}
