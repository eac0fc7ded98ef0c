import { csvText } from './csv-text';
import { decodeText } from './decode-text';
import { docxText } from './docx-text';
import { readMainText } from './main-text';
import { markdownText } from './markdown-text';
import { pdfText } from './pdf-text';

interface Format {
  /** The name of the format in messages. */
  name: string;
  extensions: string[];
  /** The media types. The standard one is first. */
  mediaTypes: [string, ...string[]];
  /** Whether content has this format, by its first kilobyte in Latin-1, whatever its name and media type say. */
  hasSignature?: (start: string) => boolean;
  /** Whether content of this format always has the signature. Other formats are text. */
  isBinary?: true;
  /**
   * @param url the address of a page; undefined for an uploaded file
   * @returns its text, or that of each page
   * @throws UnreadableDocumentError
   */
  read: (bytes: Buffer, contentType: string, url?: string) => string | Promise<string | string[]>;
}

/** The formats that can be read. A new one is an entry here. */
export const FORMATS = {
  pdf: {
    name: 'PDF',
    extensions: ['.pdf'],
    mediaTypes: ['application/pdf'],
    // Some programs write a few bytes before the signature, and PDF readers accept it within the first kilobyte.
    hasSignature: (start) => start.includes('%PDF-'),
    isBinary: true,
    read: pdfText,
  },
  docx: {
    name: 'DOCX',
    extensions: ['.docx'],
    mediaTypes: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    // Every ZIP file has this signature. The reader finds out whether it is a DOCX.
    hasSignature: (start) => start.startsWith('PK\x03\x04'),
    isBinary: true,
    read: docxText,
  },
  md: {
    name: 'Markdown',
    extensions: ['.md', '.markdown'],
    mediaTypes: ['text/markdown', 'text/x-markdown'],
    read: (bytes, contentType) => markdownText(decodeText(bytes, contentType)),
  },
  csv: {
    name: 'CSV',
    extensions: ['.csv'],
    mediaTypes: ['text/csv', 'application/csv'],
    read: (bytes, contentType) => csvText(decodeText(bytes, contentType)),
  },
  html: {
    name: 'HTML',
    extensions: ['.html', '.htm'],
    mediaTypes: ['text/html', 'application/xhtml+xml'],
    hasSignature: (start) => /^(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*)?<(!doctype\s+html|html)[\s>]/i.test(start),
    read: (bytes, contentType, url) => readMainText(decodeText(bytes, contentType, { isHtml: true }), url),
  },
  txt: {
    name: 'plain text',
    extensions: ['.txt', '.text'],
    mediaTypes: ['text/plain'],
    read: (bytes, contentType) => decodeText(bytes, contentType),
  },
} satisfies Record<string, Format>;

export type DocumentKind = keyof typeof FORMATS;

export const getFormat = (kind: DocumentKind): Format => FORMATS[kind];
