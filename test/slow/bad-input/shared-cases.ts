import type { Route } from '../../support/routes';
import { operations } from '../../support/openapi';
import type { Case } from './case';

const ROUTES_A_CASE = 6;

/** Routes of one kind share the code that reads their requests. */
const getKind = ({ name, method, access }: Route) =>
  [method, access?.reach, ...Object.keys(operations[name]?.requestBody?.content ?? {})].join(' ');

/**
 * Divides the cases that are refused before a route's own code runs: the first route of each kind gets all of them, each
 * other route every sixth, and each case goes to about a sixth of the routes.
 */
export function sharedCases(route: Route, routes: Route[], cases: Case[]): Case[] {
  const place = routes.indexOf(route);
  const isFirst = routes.findIndex((each) => getKind(each) === getKind(route)) === place;
  return isFirst ? cases : cases.filter((_, index) => (index + place) % ROUTES_A_CASE === 0);
}
