import { GROUPS, INTERVALS, useSeries } from '../../api/series';
import { zone } from '../../components/days';
import { CheckField, SelectField, TextField } from '../../components/fields';
import filterStyles from '../../components/filter-form.module.css';
import { Loaded } from '../../components/loaded';
import { Page } from '../../components/page';
import { useQueryParameters } from '../../components/use-query-parameters';
import { texts } from '../../texts';
import { Report } from './report';
import { periodBefore, periodOf, queryOf } from './period';

const { fields, intervals, groups, noGroup, title } = texts.analytics;

const INTERVAL_CHOICES = INTERVALS.map((value) => ({ value, label: intervals[value] }));
const GROUP_CHOICES = GROUPS.map((value) => ({ value, label: groups[value] }));
const ZONES = [...new Set([zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
  value,
  label: value.replaceAll('_', ' '),
}));

/** The calls of a period over time, beside those of the period before. */
export default function AnalyticsPage() {
  const [parameters, setParameters] = useQueryParameters();
  const period = periodOf(parameters);
  const before = periodBefore(period);
  const isComparing = parameters.get('compare') !== 'no';
  const query = queryOf(parameters, period);
  const series = useSeries(query);
  const seriesBefore = useSeries({ ...queryOf(parameters, before), group_by: undefined }, isComparing);
  const set = (name: string, value: string) => {
    if (value !== (parameters.get(name) ?? '')) setParameters({ [name]: value || undefined });
  };
  const day = (name: keyof typeof period) => (
    <TextField
      key={name + period[name]}
      type="date"
      label={fields[name]}
      defaultValue={period[name]}
      onBlur={({ target }) => target.value && set(name, target.value)}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && set(name, currentTarget.value)}
    />
  );
  return (
    <Page title={title}>
      <form aria-label={texts.calls.filters} className={filterStyles.filters}>
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
      </form>
      <Loaded query={series}>
        {(data) => (
          <Report
            series={data}
            isGrouped={query.group_by !== undefined}
            before={isComparing ? { period: before, series: seriesBefore.data } : undefined}
          />
        )}
      </Loaded>
    </Page>
  );
}
