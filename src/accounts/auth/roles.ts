import { OPERATE_SCOPE, READ_SCOPE } from '../../config';
import { type Caller, mayAdminister, mayChange } from '../../platform/http/access';

/** The roles of people in a workspace, the one with the most rights first. */
export const ROLES = ['admin', 'operator', 'viewer'] as const;

export type PersonRole = (typeof ROLES)[number];

const SCOPES: Record<PersonRole, string[] | undefined> = {
  admin: undefined,
  operator: [OPERATE_SCOPE],
  viewer: [READ_SCOPE],
};

/** The scopes of a session of a person with this role. undefined: the whole workspace. */
export const getScopes = (role: PersonRole): string[] | undefined => SCOPES[role];

/** The role whose sessions have these scopes. */
export function getRole(caller: Pick<Caller, 'scopes'>): PersonRole {
  if (mayAdminister(caller)) return 'admin';
  return mayChange(caller) ? 'operator' : 'viewer';
}
