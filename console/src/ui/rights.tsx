import { createContext, type ReactNode, useContext } from 'react';

/** The acts for which a session may lack the right: on calls and campaigns, and on all the rest. */
export type Right = 'operate' | 'administer';

const RightsContext = createContext<readonly Right[]>(['operate', 'administer']);

/** Gives the parts below it the rights of the session. */
export const Rights = RightsContext.Provider;

/** Whether the session may do such acts. */
export const useMay = (right: Right): boolean => useContext(RightsContext).includes(right);

/** Shows its children only if the session may do what they offer. */
export function Allowed({ to, children }: { to: Right; children: ReactNode }) {
  return useMay(to) ? children : null;
}
