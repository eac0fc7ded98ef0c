import { extname } from 'node:path';
import { UnreadableDocumentError } from './unreadable-document.error';

export type DocumentKind = 'pdf' | 'docx' | 'txt' | 'md' | 'csv' | 'html';

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

/** Whatever else it may look like. */
const beginsAsHtml = (start: string) =>
  /^(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*)?<(!doctype\s+html|html)[\s>]/i.test(start);

const mentionsHtml = (start: string) => /<(!doctype html|html|head|body)\b/i.test(start);

/** What somebody says of a document. */
export interface DocumentHints {
  /** Its file's name or the path of its link. */
  name: string;
  /** As a client or a server told it, '' where nobody did. */
  contentType: string;
  /** A server knows what it sends, and a path ends as it likes; the name of a file says more than a client's guess. */
  from: 'link' | 'file';
}

/** undefined: it can be none of ours. */
function toldKindOf(start: string, { name, contentType, from }: DocumentHints): DocumentKind | undefined {
  const mediaType = mediaTypeOf(contentType);
  const byType = own(BY_MEDIA_TYPE, mediaType);
  const extension = extname(name).toLowerCase();
  const byName = own(BY_EXTENSION, extension);
  const isTypeTold = !NEUTRAL_MEDIA_TYPES.includes(mediaType);
  const byLook = mentionsHtml(start) ? 'html' : 'txt';
  if (from === 'file') return byName ?? byType ?? (isTypeTold || extension !== '' ? undefined : byLook);
  if (!isTypeTold) return byName ?? byLook;
  // What many servers say of any text that they know no better name for.
  if (byType === 'txt' && (byName === 'md' || byName === 'csv')) return byName;
  return byType;
}

/**
 * What a document is: its content decides where it has a mark of its own (PDF, DOCX, HTML) or is binary; elsewhere the
 * declared type of a link, the name of a file.
 * @throws Unreadable when it is nothing that we read, or not what it is said to be
 */
export function kindOf(bytes: Buffer, told: DocumentHints): DocumentKind {
  if (bytes.length === 0) throw new UnreadableDocumentError('it is empty');
  const start = bytes.subarray(0, 1024).toString('latin1');
  // Some programs write a few bytes before the mark, and readers accept it within the first kilobyte.
  if (start.includes('%PDF-')) return 'pdf';
  if (startsLike(bytes, 'PK\x03\x04')) return 'docx';
  const kind = beginsAsHtml(start) ? 'html' : toldKindOf(start, told);
  if (kind === 'pdf' || kind === 'docx')
    throw new UnreadableDocumentError(`its content is not ${kind.toUpperCase()}`);
  if (isBinary(bytes)) throw new UnreadableDocumentError(`it is neither text nor a known document; ${KNOWN}`);
  if (!kind) throw new UnreadableDocumentError(`its type ${typeNameOf(told)} is not known; ${KNOWN}`);
  return kind;
}

const typeNameOf = ({ name, contentType, from }: DocumentHints) =>
  (from === 'file' && extname(name).toLowerCase()) || mediaTypeOf(contentType);
