import type { FieldError } from '../../platform/http/errors';

const PARAMETER = /\{([^{}]*)\}/g;

/** An argument as a part of a path or a query. */
export const toText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? '');

/** The names of the parameters in the path of an address such as `https://shop.example.com/bookings/{id}`. */
export const parametersInPath = (url: string): string[] =>
  [...url.matchAll(PARAMETER)].map(([, name = '']) => name);

export const fillPath = (url: string, given: Record<string, unknown>): string =>
  url.replaceAll(PARAMETER, (_, name: string) => encodeURIComponent(toText(given[name])));

/** @returns the arguments with which a path would be that of something else, such as `..` or an empty text */
export function findPathProblems(url: string, given: Record<string, unknown>): FieldError[] {
  return url.split('/').flatMap((segment) => {
    const [name] = parametersInPath(segment);
    if (name === undefined || !/^(?:\.|%2e){0,2}$/i.test(fillPath(segment, given))) return [];
    return [{ field: `body.arguments.${name}`, message: `${name} must not be empty, . or ..` }];
  });
}
