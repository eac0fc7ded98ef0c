const PARAMETER = /\{([^{}]*)\}/g;

/** An argument as a part of a path or a query. */
export const toText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? '');

/** The names of the parameters in the path of an address such as `https://shop.example.com/bookings/{id}`. */
export const parametersInPath = (url: string): string[] =>
  [...url.matchAll(PARAMETER)].map(([, name = '']) => name);

export const fillPath = (url: string, given: Record<string, unknown>): string =>
  url.replaceAll(PARAMETER, (_, name: string) => encodeURIComponent(toText(given[name])));

/** The literal characters of a segment that can become empty, `.` or `..` */
const DOTS = /^[.%2e]{0,6}$/i;

/** The segments of an address, before its query, that arguments can make empty, `.` or `..` */
export const findDottedSegments = (url: string): string[] =>
  url
    .replace(/[?#].*/s, '')
    .split(/[/\\]/)
    .filter((segment) => {
      const literal = segment.replaceAll(PARAMETER, '');
      return literal !== segment && DOTS.test(literal);
    });

/** @returns the arguments with which a path would be that of something else, such as `..` or an empty text */
export function findPathProblems(
  segments: readonly string[],
  given: Record<string, unknown>,
): { name: string; message: string }[] {
  return segments.flatMap((segment) => {
    const [name] = parametersInPath(segment);
    if (name === undefined || !/^(?:\.|%2e){0,2}$/i.test(fillPath(segment, given))) return [];
    return [{ name, message: `${name} must not be empty, . or ..` }];
  });
}
