import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import type { Request } from 'express';
import { unknownProperty, validationFailed } from './errors';

const PLACES = { query: RouteParamtypes.QUERY, body: RouteParamtypes.BODY } as const;
type Place = keyof typeof PLACES;

/** The places from which each handler takes nothing, so that no validation checks them. */
const unusedPlaces = new WeakMap<object, Place[]>();

function getUnusedPlaces(context: ExecutionContext): Place[] {
  const handler = context.getHandler();
  const known = unusedPlaces.get(handler);
  if (known) return known;
  const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name) as
    object | undefined;
  // `4:0`: the query is the first parameter. Our own decorators have random keys, which may begin with a digit.
  const taken = Object.keys(parameters ?? {}).map((key) => key.split(':')[0]);
  const unused = (Object.keys(PLACES) as Place[]).filter((place) => !taken.includes(`${PLACES[place]}`));
  unusedPlaces.set(handler, unused);
  return unused;
}

const namesIn = (value: unknown) =>
  typeof value === 'object' && value !== null && !Buffer.isBuffer(value) ? Object.keys(value) : [];

/** @throws 400 that names what was sent to a route that takes no query, or no body */
export function assertNothingUnused(context: ExecutionContext, request: Request): void {
  const problems = getUnusedPlaces(context).flatMap((place) =>
    namesIn(request[place]).map((name) => unknownProperty(`${place}.${name}`, name)),
  );
  if (problems.length > 0) throw validationFailed(problems);
}
