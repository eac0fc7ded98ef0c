import { type Belongings, exampleBody, queries } from '../support/examples';
import { operations, type Operation } from '../support/openapi';
import { pathOf, type Route } from '../support/routes';
import type { Message } from './case';
import type { Schema } from './hostile-values';
import { BOUNDARY, multipartBody, partsOf } from './multipart-body';

export const JSON_TYPE = 'application/json';
export const FORM_TYPE = 'multipart/form-data';
export const FORM_TYPE_WITH_BOUNDARY = `${FORM_TYPE}; boundary=${BOUNDARY}`;

/** A route, and who sends what to it. */
export interface Target {
  route: Route;
  /** What the path of a good request leads to. */
  things: Belongings;
  /** The credential, and nothing else. */
  headers: Record<string, string>;
  /** A page that a knowledge base may be made of. */
  link: string;
}

export const operationOf = ({ route }: Target): Operation => operations[route.name] ?? { responses: {} };

/** What the route takes of this content type; undefined where it takes none. */
export const schemaOf = (target: Target, contentType: string): Schema | undefined =>
  operationOf(target).requestBody?.content[contentType]?.schema as Schema | undefined;

export const takesBody = (target: Target) => operationOf(target).requestBody !== undefined;

/** A good body of the content type, another one each time where names must be new. */
export function goodBody({ route, things, link }: Target, contentType: string): Record<string, unknown> {
  const body = exampleBody(route.name, contentType, things);
  return 'baseUrl' in body ? { ...body, baseUrl: link, urls: [] } : body;
}

/** A good request without its body. */
export function goodHead({ route, things, headers }: Target): Message {
  const query = queries[route.name];
  return { method: route.method, path: pathOf(route, things) + (query ? `?${query}` : ''), headers };
}

/** A good request: JSON where the route takes both. */
export function goodMessage(target: Target): Message {
  const head = goodHead(target);
  const as = (contentType: string, body: string | Buffer): Message => ({
    ...head,
    headers: { ...head.headers, 'content-type': contentType },
    body,
  });
  if (schemaOf(target, JSON_TYPE)) return as(JSON_TYPE, JSON.stringify(goodBody(target, JSON_TYPE)));
  if (!schemaOf(target, FORM_TYPE)) return head;
  return as(FORM_TYPE_WITH_BOUNDARY, multipartBody(partsOf(goodBody(target, FORM_TYPE))));
}

/**
 * Where to send what may be taken, but is not meant to do anything: a route without a body does what its path says, so
 * this leads to nothing.
 */
export const harmless = (target: Target): Target =>
  takesBody(target) || target.route.method === 'GET'
    ? target
    : { ...target, things: new Proxy<Belongings>({}, { get: () => '01980f6c-3c5e-7a51-9a53-5f3b1c2d4e6f' }) };
