import { END_OF_PAGE } from '../split-text';
import { UnreadableDocumentError } from '../unreadable-document.error';
import { detectKind, type DocumentHints } from './detect-format';
import { type DocumentKind, getFormat } from './formats';
import { assertTextSize } from './text-size';

export interface InputDocument extends DocumentHints {
  bytes: Buffer;
}

export interface ReadDocument {
  kind: DocumentKind;
  mediaType: string;
  /** Each page ends with `END_OF_PAGE` if the format has pages. */
  text: string;
}

/** A run of white space without spaces before the end of a line, and with at most one empty line. */
function collapse(space: string): string {
  const [first, last] = [space.indexOf('\n'), space.lastIndexOf('\n')];
  if (first === -1) return space;
  return (first === last ? '\n' : '\n\n') + space.slice(last + 1);
}

/** Returns a text as Postgres can store it, with one kind of line break and at most one empty line in a row. */
const normalize = (text: string) =>
  text
    .toWellFormed()
    .replaceAll('\0', '')
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?|[\u2028\u2029\f]/g, '\n')
    // The pattern matches whole runs, because a pattern that looks for spaces before something takes quadratic
    // time.
    .replace(/\s+/g, collapse)
    .trim();

/**
 * Detects the format of a document and reads its text.
 * @throws UnreadableDocumentError
 */
export async function readDocument(document: InputDocument): Promise<ReadDocument> {
  const kind = detectKind(document.bytes, document);
  const { mediaTypes, read } = getFormat(kind);
  const content = await read(document.bytes, document.contentType);
  const text = Array.isArray(content)
    ? content.map((page) => normalize(page) + END_OF_PAGE).join('')
    : normalize(content);
  if (!/[\p{L}\p{N}]/u.test(text)) throw new UnreadableDocumentError('it has no text');
  assertTextSize(text.length);
  return { kind, mediaType: mediaTypes[0], text };
}
