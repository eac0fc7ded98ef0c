import { UnreadableDocumentError } from './unreadable-document.error';
import { csvText } from './csv-text';
import { decodeText } from './decode-text';
import { docxText } from './docx-text';
import { type DocumentKind, kindOf, type DocumentHints } from './document-kind';
import { mainTextOf } from './main-text';
import { markdownText } from './markdown-text';
import { assertTextSize } from './max-characters';
import { pdfText } from './pdf-text';

export interface GivenDocument extends DocumentHints {
  bytes: Buffer;
}

export interface ReadDocument {
  kind: DocumentKind;
  text: string;
}

async function textOf(kind: DocumentKind, { bytes, contentType }: GivenDocument): Promise<string> {
  switch (kind) {
    case 'pdf':
      return pdfText(bytes);
    case 'docx':
      return docxText(bytes);
    case 'html':
      return mainTextOf(decodeText(bytes, contentType, { isHtml: true }));
    case 'csv':
      return csvText(decodeText(bytes, contentType));
    case 'md':
      return markdownText(decodeText(bytes, contentType));
    case 'txt':
      return decodeText(bytes, contentType);
  }
}

/** A run of white space without spaces before a line's end, and with one empty line at most. */
function tidySpace(space: string): string {
  const [first, last] = [space.indexOf('\n'), space.lastIndexOf('\n')];
  if (first === -1) return space;
  return (first === last ? '\n' : '\n\n') + space.slice(last + 1);
}

/** As Postgres can store it, with one kind of line break and no gaps of more than one empty line. */
const tidy = (text: string) =>
  text
    .toWellFormed()
    .replaceAll('\0', '')
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?|[\u2028\u2029\f]/g, '\n')
    // Whole runs: a pattern that looks for spaces before something takes the square of how many there are.
    .replace(/\s+/g, tidySpace)
    .trim();

/**
 * Tells what a document is and reads its text.
 * @throws Unreadable
 */
export async function readDocument(document: GivenDocument): Promise<ReadDocument> {
  const kind = kindOf(document.bytes, document);
  const text = tidy(await textOf(kind, document));
  if (!/[\p{L}\p{N}]/u.test(text)) throw new UnreadableDocumentError('it has no text');
  assertTextSize(text.length);
  return { kind, text };
}
