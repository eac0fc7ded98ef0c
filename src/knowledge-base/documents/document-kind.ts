import { extname } from 'node:path';
import { Unreadable } from '../unreadable';

export const DOCUMENT_KINDS = ['pdf', 'docx', 'txt', 'md', 'csv', 'html'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

export const MEDIA_TYPES: Record<DocumentKind, string> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
};

const BY_EXTENSION: Record<string, DocumentKind> = {
  '.pdf': 'pdf',
  '.docx': 'docx',
  '.txt': 'txt',
  '.text': 'txt',
  '.md': 'md',
  '.markdown': 'md',
  '.csv': 'csv',
  '.html': 'html',
  '.htm': 'html',
};

const BY_MEDIA_TYPE: Record<string, DocumentKind> = {
  'application/pdf': 'pdf',
  [MEDIA_TYPES.docx]: 'docx',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'text/x-markdown': 'md',
  'text/csv': 'csv',
  'application/csv': 'csv',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
};

/** What says nothing about the content. */
const NEUTRAL_MEDIA_TYPES = ['', 'application/octet-stream', 'binary/octet-stream'];

const KNOWN = 'PDF, DOCX, Markdown, CSV, HTML and plain text can be read';

const own = <Value>(record: Record<string, Value>, key: string) =>
  Object.hasOwn(record, key) ? record[key] : undefined;

export const mediaTypeOf = (contentType: string) => (contentType.split(';')[0] ?? '').trim().toLowerCase();

const startsLike = (bytes: Buffer, magic: string) =>
  bytes.subarray(0, magic.length).equals(Buffer.from(magic, 'latin1'));

const hasUtf16Mark = (bytes: Buffer) => startsLike(bytes, '\xff\xfe') || startsLike(bytes, '\xfe\xff');

/** Control characters that no text has, in any charset but UTF-16. */
const isBinary = (bytes: Buffer) =>
  !hasUtf16Mark(bytes) && bytes.some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte));

/**
 * What a document is: its content decides where it has a mark of its own (PDF, DOCX) or is binary, its name and the
 * declared type elsewhere.
 * @throws Unreadable when it is nothing that we read, or not what its name says
 */
export function kindOf(bytes: Buffer, told: { name: string; contentType: string }): DocumentKind {
  if (bytes.length === 0) throw new Unreadable('it is empty');
  // Some programs write a few bytes before the mark, and readers accept it within the first kilobyte.
  if (bytes.subarray(0, 1024).includes('%PDF-')) return 'pdf';
  if (startsLike(bytes, 'PK\x03\x04')) return 'docx';
  const extension = extname(told.name).toLowerCase();
  const mediaType = mediaTypeOf(told.contentType);
  const neutral = NEUTRAL_MEDIA_TYPES.includes(mediaType);
  const kind = own(BY_EXTENSION, extension) ?? own(BY_MEDIA_TYPE, mediaType);
  if (kind === 'pdf' || kind === 'docx') throw new Unreadable(`its content is not ${kind.toUpperCase()}`);
  if (isBinary(bytes)) throw new Unreadable(`it is neither text nor a known document; ${KNOWN}`);
  if (!kind && !(neutral && extension === '')) {
    throw new Unreadable(`its type ${extension || mediaType} is not known; ${KNOWN}`);
  }
  return kind ?? (looksLikeHtml(bytes) ? 'html' : 'txt');
}

const looksLikeHtml = (bytes: Buffer) =>
  /<(!doctype html|html|head|body)\b/i.test(bytes.subarray(0, 1024).toString('latin1'));
