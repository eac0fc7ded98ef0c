import { allValues } from '../../api/all-values';
import type { Schemas } from '../../api/client';
import type { Filter } from '../../ui/filters/filter-form';
import { texts } from '../../texts';

type Kind = Schemas['CreditEntryDto']['kind'];

const { fields, kinds } = texts.settings.credits;

const KINDS = allValues<Kind>({ grant: true, hold: true, release: true, charge: true, correction: true });

/** The filters of the API. */
export const CREDIT_FILTERS: Filter[] = [
  { name: 'kind', label: fields.kind, choices: KINDS.map((value) => ({ value, label: kinds[value] })) },
  { name: 'start_date', label: fields.start_date, type: 'datetime-local' },
  { name: 'end_date', label: fields.end_date, type: 'datetime-local' },
];
