import { type ResourceIds, exampleBody, queries } from '../../support/examples';
import { operations, type Operation } from '../../support/openapi';
import { buildPath, type Route } from '../../support/routes';
import type { HttpRequest } from './case';
import type { Schema } from './hostile-values';
import { BOUNDARY, multipartBody, toParts } from './multipart-body';

export const JSON_TYPE = 'application/json';
export const FORM_TYPE = 'multipart/form-data';
export const FORM_TYPE_WITH_BOUNDARY = `${FORM_TYPE}; boundary=${BOUNDARY}`;

/** A route, and the parts of a valid request to it. */
export interface Target {
  route: Route;
  /** The ids for the path of a valid request. */
  resourceIds: ResourceIds;
  /** The headers with the credential only. */
  headers: Record<string, string>;
  /** The URL of a page for a knowledge base. */
  link: string;
}

export const getOperation = ({
  route,
}: Target): Pick<Operation, 'parameters' | 'requestBody' | 'responses'> =>
  operations[route.name] ?? { responses: {} };

/** The schema of the body with this content type; undefined if the route does not take it. */
export const getSchema = (target: Target, contentType: string): Schema | undefined =>
  getOperation(target).requestBody?.content[contentType]?.schema as Schema | undefined;

export const acceptsBody = (target: Target) => getOperation(target).requestBody !== undefined;

/** A valid body of the content type, with a new name where names are unique. */
export function validBody(
  { route, resourceIds, link }: Target,
  contentType: string,
): Record<string, unknown> {
  const body = exampleBody(route.name, contentType, resourceIds);
  return 'baseUrl' in body ? { ...body, baseUrl: link, urls: [] } : body;
}

/** A valid request without its body. */
export function validHead({ route, resourceIds, headers }: Target): HttpRequest {
  const query = queries[route.name];
  return { method: route.method, path: buildPath(route, resourceIds) + (query ? `?${query}` : ''), headers };
}

/** A valid request, as a form if the route takes both JSON and forms: a file is replaced by a file only. */
export function validRequest(target: Target): HttpRequest {
  const head = validHead(target);
  const as = (contentType: string, body: string | Buffer): HttpRequest => ({
    ...head,
    headers: { ...head.headers, 'content-type': contentType },
    body,
  });
  if (getSchema(target, FORM_TYPE))
    return as(FORM_TYPE_WITH_BOUNDARY, multipartBody(toParts(validBody(target, FORM_TYPE))));
  if (getSchema(target, JSON_TYPE)) return as(JSON_TYPE, JSON.stringify(validBody(target, JSON_TYPE)));
  return head;
}

/**
 * The path for malformed bodies: a route that ignores its body would execute the request, so the ids here do not
 * exist.
 */
export const withoutEffect = (target: Target): Target =>
  acceptsBody(target) || target.route.method === 'GET'
    ? target
    : {
        ...target,
        resourceIds: new Proxy<ResourceIds>({}, { get: () => '01980f6c-3c5e-7a51-9a53-5f3b1c2d4e6f' }),
      };
