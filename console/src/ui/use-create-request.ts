import { useEffect, useEffectEvent } from 'react';
import { useQueryParameters } from './filters/use-query-parameters';
import { type Right, useMay } from './rights';

const PARAMETER = 'create';

/** The address of a page that opens its dialog to create something. */
export const toCreateHref = (path: string) => `${path}?${PARAMETER}=1`;

/** Opens the dialog of a page if the address asks for it, which a reload then does not repeat. */
export function useCreateRequest(needs: Right, open: () => void) {
  const [parameters, setParameters] = useQueryParameters();
  const may = useMay(needs);
  const isAsked = parameters.has(PARAMETER);
  const answer = useEffectEvent(() => {
    setParameters({ [PARAMETER]: undefined }, { replace: true });
    if (may) open();
  });
  useEffect(() => {
    if (isAsked) answer();
  }, [isAsked]);
}
