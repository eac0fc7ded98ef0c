import type { FormEvent } from 'react';
import { GROUPS, INTERVALS } from '../../api/series';
import { AgentField } from '../../domain/agent-field';
import { CampaignField } from '../../domain/campaign-field';
import { CountedField } from '../../domain/counted-field';
import { zone } from '../../ui/moment';
import { CheckField, SelectField } from '../../ui/fields';
import { FilterField } from '../../ui/filters/filter-field';
import filterStyles from '../../ui/filters/filter-form.module.css';
import { PeriodField } from '../../ui/filters/period-field';
import { formValues } from '../../ui/form-values';
import { texts } from '../../texts';
import { METRICS } from './metrics';
import type { ReportQuery } from './report-query';

const { fields, intervals, groups, noGroup, anyAgent, anyCampaign } = texts.analytics;

const INTERVAL_CHOICES = INTERVALS.map((value) => ({ value, label: intervals[value] }));
const GROUP_CHOICES = GROUPS.map((value) => ({ value, label: groups[value] }));
const METRIC_CHOICES = METRICS.map(({ key, name }) => ({ value: key, label: name }));
const ZONES = [...new Set([zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
  value,
  label: value.replaceAll('_', ' '),
}));

interface Props {
  report: ReportQuery;
  onChange: (changes: Record<string, string | undefined>) => void;
}

/** The fields that choose the calls and the figures of the page. A choice applies at once, a day when its field loses the focus or Enter is pressed. */
export function AnalyticsFilters({ report, onChange }: Props) {
  const { period, filters } = report;
  const set = (name: string, value: string) => onChange({ [name]: value || undefined });
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { start, end } = formValues(event.currentTarget);
    if (start !== period.start || end !== period.end) onChange({ start, end });
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
    <form aria-label={texts.filters.label} onSubmit={apply} className={filterStyles.filters}>
      <PeriodField days={period} onChange={(days) => days && onChange({ ...days, interval: undefined })} />
      {day('start')}
      {day('end')}
      <AgentField value={filters.agent_id ?? ''} any={anyAgent} onChange={(id) => set('agent_id', id)} />
      <CampaignField
        value={filters.campaign_id ?? ''}
        any={anyCampaign}
        onChange={(id) => set('campaign_id', id)}
      />
      <CountedField counted={report.counted} onChange={onChange} />
      <SelectField
        label={fields.metric}
        choices={METRIC_CHOICES}
        value={report.metric.key}
        onChange={({ target }) => set('metric', target.value)}
      />
      <SelectField
        label={fields.group_by}
        choices={GROUP_CHOICES}
        any={noGroup}
        value={report.group ?? ''}
        onChange={({ target }) => set('group_by', target.value)}
      />
      <SelectField
        label={fields.interval}
        choices={INTERVAL_CHOICES}
        value={report.interval}
        onChange={({ target }) => set('interval', target.value)}
      />
      <SelectField
        label={fields.timezone}
        choices={ZONES}
        value={report.timezone}
        onChange={({ target }) => set('timezone', target.value)}
      />
      <CheckField
        label={fields.compare}
        checked={report.isComparing}
        onChange={({ target }) => set('compare', target.checked ? '' : 'no')}
      />
      {/* Without it, Enter would not send a form of several fields. */}
      <button type="submit" hidden />
    </form>
  );
}
