import { EVENT_ID, getScalarValue, parseEvents } from 'js-yaml';

/** A list or an object whose parts are being read. */
interface Parent {
  path: string;
  /** The place of the next item of a list, or the name of the next value of an object. */
  next: number | string | undefined;
}

/**
 * @param path of a part of a document, such as `rehearsals.0.checks`
 * @returns the line, from 1, at which it begins, or else the part around it
 */
export function findLine(text: string, path: string): number {
  const starts = listStarts(text);
  let known = path;
  while (known !== '' && !starts.has(known)) known = known.slice(0, Math.max(0, known.lastIndexOf('.')));
  return text.slice(0, starts.get(known) ?? 0).split('\n').length;
}

/** The places at which the parts of a document begin, by their paths. */
function listStarts(text: string): Map<string, number> {
  const starts = new Map<string, number>();
  const parents: Parent[] = [];
  for (const event of parseEvents(text, {})) {
    if (event.type === EVENT_ID.POP) parents.pop();
    if (event.type === EVENT_ID.POP || event.type === EVENT_ID.ALIAS) continue;
    if (event.type === EVENT_ID.DOCUMENT) {
      parents.push({ path: '', next: '' });
      continue;
    }
    const parent = parents.at(-1);
    if (!parent) continue;
    const isScalar = event.type === EVENT_ID.SCALAR;
    const start = isScalar ? event.valueStart : event.start;
    if (parent.next === undefined) {
      // The name of a member, with which it begins.
      parent.next = isScalar ? getScalarValue(text, event) : '';
      starts.set(join(parent), start);
      continue;
    }
    const path = join(parent);
    // An empty value begins nowhere.
    if (start >= 0 && !starts.has(path)) starts.set(path, start);
    parent.next = typeof parent.next === 'number' ? parent.next + 1 : undefined;
    if (!isScalar) parents.push({ path, next: event.type === EVENT_ID.SEQUENCE ? 0 : undefined });
  }
  return starts;
}

const join = ({ path, next }: Parent) => (path === '' ? String(next) : `${path}.${next}`);
