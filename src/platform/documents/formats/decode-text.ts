import { legacyHookDecode } from '@exodus/bytes/encoding.js';
import sniffEncoding from 'html-encoding-sniffer';
import { isUtf8 } from 'node:buffer';
import { UnreadableDocumentError } from '../unreadable-document.error';

/** The length is enough for a byte order mark, and too short for a declaration in the text. */
const MARK_LENGTH = 3;

const parseCharset = (contentType: string) => /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];

/**
 * Decodes bytes as browsers do: a byte order mark decides, then the header's charset, then the page's own. Many bytes
 * in other charsets are valid UTF-8 too, so that is only looked at if no charset is declared.
 * @throws UnreadableDocumentError
 */
export function decodeText(bytes: Buffer, contentType: string, { isHtml = false } = {}): string {
  const encoding = sniffEncoding(isHtml ? bytes : bytes.subarray(0, MARK_LENGTH), {
    transportLayerEncodingLabel: parseCharset(contentType),
    defaultEncoding: isUtf8(bytes) ? 'UTF-8' : 'windows-1252',
  });
  const text = legacyHookDecode(bytes, encoding);
  // eslint-disable-next-line no-control-regex -- they are what it looks for
  if (/[\0-\x08\x0e-\x1a]/.test(text))
    throw new UnreadableDocumentError('it is not text in the charset that it declares');
  return text;
}
