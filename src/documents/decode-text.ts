import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { UnreadableDocumentError } from './unreadable-document.error';

/** How far into a page its charset may be declared: HTML says 1024 bytes. */
const META_WITHIN = 1024;

const markOf = (bytes: Buffer): string | undefined => {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
};

const known = (charset: string | undefined) => {
  const name = charset?.toLowerCase();
  return name !== undefined && iconv.encodingExists(name) ? name : undefined;
};

const charsetOfHeader = (contentType: string) =>
  known(/;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]);

const charsetOfMeta = (bytes: Buffer) => {
  const start = bytes.subarray(0, META_WITHIN).toString('latin1');
  const charset = known(/<meta[^>]{0,500}charset\s*=\s*["']?([\w:-]+)/i.exec(start)?.[1]);
  // The declaration could not have been read if it were true; HTML has it mean UTF-8.
  return charset && /^utf-?(16|32)/.test(charset) ? 'utf-8' : charset;
};

/** On the web these names mean the larger set, whatever the standards of the names say. */
const WEB_NAMES: Record<string, string> = {
  'iso-8859-1': 'windows-1252',
  'us-ascii': 'windows-1252',
  ascii: 'windows-1252',
};

/**
 * The text of bytes, as browsers decode it: a byte order mark decides, then the header's charset, then the page's own.
 * What nobody declares is UTF-8 where the bytes are that, and else Windows-1252, as most such text is. Many bytes of
 * other charsets are UTF-8 too, so it does not come before what is declared.
 */
export function decodeText(bytes: Buffer, contentType: string, { isHtml = false } = {}): string {
  const declared = charsetOfHeader(contentType) ?? (isHtml ? charsetOfMeta(bytes) : undefined);
  const charset = markOf(bytes) ?? declared ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252');
  const text = iconv.decode(bytes, WEB_NAMES[charset] ?? charset);
  // eslint-disable-next-line no-control-regex -- what is looked for
  if (/[\0-\x08\x0e-\x1a]/.test(text))
    throw new UnreadableDocumentError('it is not text in the charset that it declares');
  return text;
}
