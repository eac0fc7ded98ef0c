import type { FormEvent } from 'react';
import { countContacts, GROUPS, INTERVALS, useSeries } from '../../api/series';
import { zone } from '../../ui/moment';
import { CheckField, SelectField } from '../../ui/fields';
import { FilterField } from '../../ui/filters/filter-field';
import { PeriodField } from '../../ui/filters/period-field';
import { formValues } from '../../ui/form-values';
import filterStyles from '../../ui/filters/filter-form.module.css';
import { Loaded } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { texts } from '../../texts';
import { Report } from './report';
import { periodBefore, readPeriod, toQuery } from './period';

const { fields, intervals, groups, noGroup, title } = texts.analytics;

const INTERVAL_CHOICES = INTERVALS.map((value) => ({ value, label: intervals[value] }));
const GROUP_CHOICES = GROUPS.map((value) => ({ value, label: groups[value] }));
const ZONES = [...new Set([zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
  value,
  label: value.replaceAll('_', ' '),
}));

/** The calls of a period over time, beside the calls of the period before. */
export default function AnalyticsPage() {
  const [parameters, setParameters] = useQueryParameters();
  const period = readPeriod(parameters);
  const before = periodBefore(period);
  const isComparing = parameters.get('compare') !== 'no';
  const query = toQuery(parameters, period);
  const series = useSeries(query);
  const seriesBefore = useSeries({ ...toQuery(parameters, before), group_by: undefined }, isComparing);
  // The reasons have a request of their own, because a series of hours with every reason would be large.
  const byReason = { interval: 'month', group_by: 'disconnect_reason' } as const;
  const ends = useSeries({ ...query, ...byReason });
  const endsBefore = useSeries({ ...toQuery(parameters, before), ...byReason }, isComparing);
  const set = (name: string, value: string) => {
    if (value !== (parameters.get(name) ?? '')) setParameters({ [name]: value || undefined });
  };
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { start, end } = formValues(event.currentTarget);
    if (start !== period.start || end !== period.end) setParameters({ start, end });
  };
  const day = (name: keyof typeof period) => (
    <FilterField
      name={name}
      type="date"
      label={fields[name]}
      value={period[name]}
      onApply={(value) => value && set(name, value)}
    />
  );
  return (
    <Page title={title}>
      <form aria-label={texts.calls.filters} onSubmit={apply} className={filterStyles.filters}>
        <PeriodField days={period} onChange={(days) => days && setParameters({ ...days })} />
        {day('start')}
        {day('end')}
        <SelectField
          label={fields.interval}
          choices={INTERVAL_CHOICES}
          value={query.interval}
          onChange={({ target }) => set('interval', target.value)}
        />
        <SelectField
          label={fields.group_by}
          choices={GROUP_CHOICES}
          any={noGroup}
          value={query.group_by ?? ''}
          onChange={({ target }) => set('group_by', target.value)}
        />
        <SelectField
          label={fields.timezone}
          choices={ZONES}
          value={query.timezone}
          onChange={({ target }) => set('timezone', target.value)}
        />
        <CheckField
          label={fields.compare}
          checked={isComparing}
          onChange={({ target }) => set('compare', target.checked ? '' : 'no')}
        />
        <button type="submit" className="visually-hidden">
          {texts.calls.filters}
        </button>
      </form>
      <Loaded query={series}>
        {(data) => (
          <Report
            series={data}
            contacts={ends.data && countContacts(ends.data)}
            isGrouped={query.group_by !== undefined}
            before={
              isComparing
                ? {
                    period: before,
                    series: seriesBefore.data,
                    contacts: endsBefore.data && countContacts(endsBefore.data),
                  }
                : undefined
            }
          />
        )}
      </Loaded>
    </Page>
  );
}
