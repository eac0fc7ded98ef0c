import { useState } from 'react';
import { useSeries } from '../api/series';
import { texts } from '../texts';
import { FilterField } from '../ui/filters/filter-field';

const DAYS = 90;

interface Props {
  value: string;
  onApply: (value: string) => void;
}

/** A filter by outcome. It offers the outcomes of the last calls; an older one can be entered, too. */
export function OutcomeField({ value, onApply }: Props) {
  const [hadFocus, setHadFocus] = useState(false);
  const [start] = useState(() => new Date(Date.now() - DAYS * 86_400_000).toISOString());
  const series = useSeries({ start_date: start, interval: 'month', group_by: 'outcome' }, hadFocus);
  const groups = series.data?.buckets.flatMap((bucket) => bucket.groups) ?? [];
  const outcomes = [...new Set(groups.flatMap(({ key }) => key || []))].sort();
  return (
    <FilterField
      name="outcome"
      label={texts.calls.fields.outcome}
      value={value}
      suggestions={outcomes.map((outcome) => ({ value: outcome, label: outcome }))}
      onFocus={() => setHadFocus(true)}
      onApply={onApply}
    />
  );
}
