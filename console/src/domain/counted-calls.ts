import type { SeriesQuery } from '../api/series';
import { texts } from '../texts';

const labels = texts.counted;

export const COUNTED = ['outbound', 'inbound', 'web', 'all'] as const;

/** The calls that figures count. */
export type Counted = (typeof COUNTED)[number];

export const COUNTED_CHOICES = COUNTED.map((value) => ({ value, label: labels.names[value] }));

/** The parameter of an address that chooses the calls. */
export const COUNTED_PARAMETER = 'calls';

/** Without a choice, outbound calls are counted: an inbound call is always answered. */
export const USUAL: Counted = 'outbound';

export const readCounted = (parameters: URLSearchParams): Counted =>
  COUNTED.find((counted) => counted === parameters.get(COUNTED_PARAMETER)) ?? USUAL;

/** The value of the parameter. */
export const toParameter = (counted: string) => (counted === USUAL ? undefined : counted);

/** The filters of the API. A web call, such as a test in the browser, has a direction, but nobody is dialled. */
export function toFilters(counted: Counted): Pick<SeriesQuery, 'direction' | 'call_type'> {
  if (counted === 'all') return {};
  return counted === 'web' ? { call_type: 'webcall' } : { direction: counted, call_type: 'phonecall' };
}

/** Says which calls are counted. @param all the number of all calls; undefined: it is not known */
export const countedText = (counted: Counted, calls: number, all: number | undefined) =>
  labels.texts[counted](
    all === undefined ? '' : labels.numbers(calls.toLocaleString(), all.toLocaleString()),
  );
