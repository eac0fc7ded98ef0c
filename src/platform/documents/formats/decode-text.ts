import { legacyHookDecode } from '@exodus/bytes/encoding.js';
import sniffEncoding from 'html-encoding-sniffer';
import { isUtf8 } from 'node:buffer';
import { UnreadableDocumentError } from '../unreadable-document.error';

/** The length is enough for a byte order mark, and too short for a declaration in the text. */
const MARK_LENGTH = 3;

const parseCharset = (contentType: string) => /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];

/** Whether bytes are UTF-8 and not more of its characters are broken than whole: a file that was cut still is. */
function isMostlyUtf8(bytes: Buffer): boolean {
  if (isUtf8(bytes)) return true;
  const text = bytes.toString('utf8');
  let balance = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 0x7f) balance += code === 0xfffd ? -1 : 1;
  }
  return balance >= 0;
}

/**
 * Decodes bytes as browsers do: a byte order mark decides, then the header's charset, then the page's own. Many bytes
 * in other charsets are valid UTF-8 too, so that is only looked at if no charset is declared. Only UTF-8 is not
 * believed if the bytes are something else, because servers declare it for files of any charset.
 * @throws UnreadableDocumentError
 */
export function decodeText(bytes: Buffer, contentType: string, { isHtml = false } = {}): string {
  const canBeUtf8 = isMostlyUtf8(bytes);
  const sniff = (transportLayerEncodingLabel?: string) =>
    sniffEncoding(isHtml ? bytes : bytes.subarray(0, MARK_LENGTH), {
      transportLayerEncodingLabel,
      defaultEncoding: canBeUtf8 ? 'UTF-8' : 'windows-1252',
    });
  const declared = [sniff(parseCharset(contentType)), sniff(), 'windows-1252'];
  const encoding = declared.find((each) => each !== 'UTF-8' || canBeUtf8) ?? 'windows-1252';
  const text = legacyHookDecode(bytes, encoding);
  // eslint-disable-next-line no-control-regex -- they are what it looks for
  if (/[\0-\x08\x0e-\x1a]/.test(text))
    throw new UnreadableDocumentError('it is not text in the charset that it declares');
  return text;
}
