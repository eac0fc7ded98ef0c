import { allValues } from '../../api/all-values';
import type { Schemas } from '../../api/client';
import type { Filter } from '../../ui/filters/filter-bar';
import { texts } from '../../texts';

type Kind = Schemas['CreditEntryDto']['kind'];

const { fields, kinds } = texts.settings.credits;

const KINDS = allValues<Kind>({ grant: true, hold: true, release: true, charge: true, correction: true });

/** The filters of the API. */
export const CREDIT_FILTERS: Filter[] = [
  { name: 'kind', label: fields.kind, choices: KINDS.map((value) => ({ value, label: kinds[value] })) },
];
