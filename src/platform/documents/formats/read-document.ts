import { normalized } from '../../validation/plain-text';
import { END_OF_PAGE } from '../split-text';
import { UnreadableDocumentError } from '../unreadable-document.error';
import { detectKind, type DocumentHints } from './detect-format';
import { type DocumentKind, getFormat } from './formats';
import { assertTextSize } from './text-size';

export interface InputDocument extends DocumentHints {
  bytes: Buffer;
  /** The address of a page; undefined for an uploaded file. */
  url?: string;
}

export interface ReadDocument {
  kind: DocumentKind;
  mediaType: string;
  /** Each page ends with `END_OF_PAGE` if the format has pages. */
  text: string;
}

/** Presentation forms, which fonts and the extraction of PDF use for letters: Latin and Armenian ligatures, Arabic. */
const PRESENTATION_FORMS = /[\uFB00-\uFDFF\uFE70-\uFEFC]+/g;

/**
 * Characters that nobody sees, such as directions, byte order marks, and tags, which hide a text from all but a model.
 * Two of them decide how letters and emoji join (U+200C, U+200D). The soft hyphen is `collapse`'s.
 */
const UNSEEN = /(?![\u00AD\u200C\u200D])(?=\p{Default_Ignorable_Code_Point})\p{Cf}/gu;

/**
 * A run of white space without spaces before the end of a line, and with at most one empty line. A soft hyphen is
 * nothing, also with the end of a line behind it.
 */
function collapse(run: string): string {
  const space = run.replaceAll('\u00AD', '');
  const [first, last] = [space.indexOf('\n'), space.lastIndexOf('\n')];
  if (first === -1) return space;
  if (first === last && run.startsWith('\u00AD')) return '';
  return (first === last ? '\n' : '\n\n') + space.slice(last + 1);
}

/**
 * Returns a text as Postgres can store it, with one kind of line break, at most one empty line in a row, and one
 * spelling for what looks the same. Other compatibility characters stay, because they mean something: 10\u00B2 is not 102.
 */
const normalize = (text: string) => normalized(unifyLines(text), 'NFC').trim();

const unifyLines = (text: string) =>
  text
    .toWellFormed()
    .replaceAll('\0', '')
    .replace(UNSEEN, '')
    .replace(/\r\n?|[\u2028\u2029\f]/g, '\n')
    // The pattern matches whole runs, because a pattern that looks for spaces before something takes quadratic
    // time.
    .replace(/[\s\u00AD]+/g, collapse)
    .replace(/[\u2010\u2011]/g, '-')
    .replace(PRESENTATION_FORMS, (forms) => forms.normalize('NFKC'));

/**
 * Detects the format of a document and reads its text.
 * @throws UnreadableDocumentError, such as ForwardingPageError
 */
export async function readDocument(document: InputDocument): Promise<ReadDocument> {
  const kind = detectKind(document.bytes, document);
  const { mediaTypes, read } = getFormat(kind);
  const content = await read(document.bytes, document.contentType, document.url);
  const text = Array.isArray(content)
    ? content.map((page) => normalize(page) + END_OF_PAGE).join('')
    : normalize(content);
  if (!/[\p{L}\p{N}]/u.test(text)) throw new UnreadableDocumentError('it has no text');
  assertTextSize(text.length);
  return { kind, mediaType: mediaTypes[0], text };
}
