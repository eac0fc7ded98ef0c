import { Unreadable } from '../unreadable';
import { csvText } from './csv-text';
import { decodeText } from './decode-text';
import { docxText } from './docx-text';
import { type DocumentKind, kindOf } from './document-kind';
import { mainTextOf } from './html-text';
import { pdfText } from './pdf-text';

export interface GivenDocument {
  bytes: Buffer;
  /** Its file's name or the path of its link. */
  name: string;
  /** As a client or a server told it, '' where nobody did. */
  contentType: string;
}

export interface ReadDocument {
  kind: DocumentKind;
  text: string;
}

/** More than any book; what says more has been made to say much. */
const MAX_CHARACTERS = 50_000_000;

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
    case 'txt':
      return decodeText(bytes, contentType);
  }
}

/** As Postgres can store it, with one kind of line break and no gaps of more than one empty line. */
const tidy = (text: string) =>
  text
    .toWellFormed()
    .replaceAll('\0', '')
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?|[\u2028\u2029\f]/g, '\n')
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/**
 * Tells what a document is and reads its text.
 * @throws Unreadable
 */
export async function readDocument(document: GivenDocument): Promise<ReadDocument> {
  const kind = kindOf(document.bytes, document);
  const text = tidy(await textOf(kind, document));
  if (!/[\p{L}\p{N}]/u.test(text)) throw new Unreadable('it has no text');
  if (text.length > MAX_CHARACTERS)
    throw new Unreadable(`its text has more than ${MAX_CHARACTERS} characters`);
  return { kind, text };
}
