import { extname } from 'node:path';
import { UnreadableDocumentError } from '../unreadable-document.error';
import { type DocumentKind, getFormat, FORMATS } from './formats';

/** The facts about a document besides its content. */
export interface DocumentHints {
  /** The name of a file, or the path of a URL. */
  name: string;
  /** The media type with its parameters; '' if it is unknown. */
  contentType: string;
  /** The hint that decides if the two differ. */
  decidedBy: 'name' | 'contentType';
}

const KINDS = Object.keys(FORMATS) as DocumentKind[];

const BY_EXTENSION = new Map(
  KINDS.flatMap((kind) => getFormat(kind).extensions.map((extension) => [extension, kind])),
);

const BY_MEDIA_TYPE = new Map(
  KINDS.flatMap((kind) => getFormat(kind).mediaTypes.map((mediaType) => [mediaType, kind])),
);

/** Media types that say nothing about the content. */
const NEUTRAL_MEDIA_TYPES = ['', 'application/octet-stream', 'binary/octet-stream'];

/** Many servers send these as text/plain. */
const SENT_AS_PLAIN_TEXT = ['md', 'csv'];

const READABLE = `${new Intl.ListFormat('en-GB').format(KINDS.map((kind) => FORMATS[kind].name))} can be read`;

const parseMediaType = (contentType: string) => (contentType.split(';')[0] ?? '').trim().toLowerCase();

/** Control characters of text: tab, line feed, form feed, carriage return, and escape in ISO-2022. */
const TEXT_CONTROLS = [0x09, 0x0a, 0x0c, 0x0d, 0x1b];

const hasUtf16Mark = (bytes: Buffer) => /^(\xff\xfe|\xfe\xff)/.test(bytes.subarray(0, 2).toString('latin1'));

/** Whether bytes contain control characters that no text has, in any charset but UTF-16. */
const isBinary = (bytes: Buffer) =>
  !hasUtf16Mark(bytes) && bytes.some((byte) => byte < 0x20 && !TEXT_CONTROLS.includes(byte));

/**
 * Detects the format of content without a signature.
 * @returns undefined for a format that cannot be read
 */
function kindByHints(
  start: string,
  { name, contentType, decidedBy }: DocumentHints,
): DocumentKind | undefined {
  const mediaType = parseMediaType(contentType);
  const extension = extname(name).toLowerCase();
  const byName = BY_EXTENSION.get(extension);
  const byType = BY_MEDIA_TYPE.get(mediaType);
  const isTypeKnown = !NEUTRAL_MEDIA_TYPES.includes(mediaType);
  const byContent = /<(!doctype html|html|head|body)\b/i.test(start) ? 'html' : 'txt';
  if (decidedBy === 'name') {
    return byName ?? byType ?? (isTypeKnown || extension !== '' ? undefined : byContent);
  }
  if (!isTypeKnown) return byName ?? byContent;
  return byType === 'txt' && byName && SENT_AS_PLAIN_TEXT.includes(byName) ? byName : byType;
}

/**
 * Detects what a document is: its signature decides (PDF, DOCX, HTML); without one, its name or its media type.
 * @throws UnreadableDocumentError when its format cannot be read, or is not the one that its hints name
 */
export function detectKind(bytes: Buffer, hints: DocumentHints): DocumentKind {
  if (bytes.length === 0) throw new UnreadableDocumentError('it is empty');
  const start = bytes.subarray(0, 1024).toString('latin1');
  const bySignature = KINDS.find((kind) => getFormat(kind).hasSignature?.(start));
  const kind = bySignature ?? kindByHints(start, hints);
  const format = kind && getFormat(kind);
  if (format?.isBinary && !bySignature)
    throw new UnreadableDocumentError(`its content is not ${format.name}`);
  if (!format?.isBinary && isBinary(bytes))
    throw new UnreadableDocumentError(`it is neither text nor a known document; ${READABLE}`);
  if (!kind) throw new UnreadableDocumentError(`its type ${getTypeName(hints)} is not known; ${READABLE}`);
  return kind;
}

const getTypeName = ({ name, contentType, decidedBy }: DocumentHints) =>
  (decidedBy === 'name' && extname(name).toLowerCase()) || parseMediaType(contentType);
