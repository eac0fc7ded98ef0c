import { useState } from 'react';
import type { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { isOpenedBeside } from '../../ui/table/place';
import type { Call } from './in-progress';

/** The parameter of the address that names the call in the panel. */
const PARAMETER = 'call';

/** The call in the panel beside the list, which the address names. @param calls the calls in the order of their rows */
export function useOpenCall(
  calls: Call[],
  [parameters, setParameters]: ReturnType<typeof useQueryParameters>,
) {
  const id = parameters.get(PARAMETER) ?? '';
  const [last, setLast] = useState(0);
  const index = calls.findIndex(({ call_id }) => call_id === id);
  if (index >= 0 && index !== last) setLast(index);
  const toHref = (call_id: string) => {
    const query = new URLSearchParams(parameters);
    query.set(PARAMETER, call_id);
    return `/live?${query}`;
  };
  const findHref = (position: number) => calls[position] && toHref(calls[position].call_id);
  return {
    id,
    toHref,
    // The row of a call that has ended is not there any more, and the next one is in its place.
    beside:
      index >= 0
        ? { previous: findHref(index - 1), next: findHref(index + 1) }
        : { previous: findHref(last - 1), next: findHref(last) },
    close: () => {
      if (isOpenedBeside()) window.history.back();
      else setParameters({ [PARAMETER]: undefined }, { replace: true });
    },
  };
}
