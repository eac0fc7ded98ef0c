import { constructFromEvents, CORE_SCHEMA, type Event, parseEvents, YAMLException } from 'js-yaml';
import { ApiError } from './errors';

/** The name of the media type is that of RFC 9512. */
export const YAML = 'application/yaml';

/** Each list, object and member begins at one of these. Texts may have them too. */
const MARKS = /[\n,[{]|[-?:]\s/g;

export const malformedYaml = (line: number, reason: string) =>
  new ApiError('MALFORMED_YAML', 'Malformed YAML', { details: `Line ${line}: ${reason}.` });

/**
 * Reads a document of YAML 1.2 with the core schema. It may have no anchors, aliases and tags: a kilobyte with aliases
 * stands for gigabytes, and the other two say nothing that JSON could not.
 * @param maxNodes of texts, lists and objects
 * @throws 400 with the line; `tooManyNodes`
 */
export function parseYaml(
  text: string,
  { maxDepth, maxNodes, tooManyNodes }: { maxDepth: number; maxNodes: number; tooManyNodes: () => Error },
): unknown {
  try {
    // To read a megabyte of nodes takes 350 ms and 200 MB before their number is known.
    if (hasMore(text, MARKS, 4 * maxNodes)) throw tooManyNodes();
    const events = parseEvents(text, { maxDepth });
    if (events.length > 2 * maxNodes) throw tooManyNodes();
    const marked = events.map(findMark).find((start) => start !== -1);
    if (marked !== undefined)
      throw malformedYaml(lineOf(text, marked), 'anchors, aliases and tags are not taken');
    const documents = constructFromEvents(events, { source: text, schema: CORE_SCHEMA, maxAliases: 0 });
    if (documents.length > 1) throw malformedYaml(1, 'there must be one document');
    return documents[0];
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw malformedYaml((error.mark?.line ?? 0) + 1, error.reason);
  }
}

/** Whether a text has more matches than a number. */
function hasMore(text: string, pattern: RegExp, most: number): boolean {
  let count = 0;
  for (const _ of text.matchAll(pattern)) if ((count += 1) > most) return true;
  return false;
}

/** The place at which an anchor, an alias or a tag begins; -1: there is none. */
function findMark(event: Event): number {
  if (!('anchorStart' in event)) return -1;
  return event.anchorStart !== -1 || !('tagStart' in event) ? event.anchorStart : event.tagStart;
}

const lineOf = (text: string, position: number) => text.slice(0, position).split('\n').length;
