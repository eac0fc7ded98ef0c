import { convertToHtml, images } from 'mammoth';
import { UnreadableDocumentError } from '../unreadable-document.error';
import { htmlToText } from './html-text';
import { findHiddenStyles, toShownXml } from './docx-part';
import { openZip, type ZipEntries } from './zip';

const STYLES = 'word/styles.xml';

/**
 * The input of mammoth as it makes it from a ZIP file (`openZip` in its `lib/unzip.js`). It knows no simple fields and no
 * hidden text, so it gets the shown text; `test/rules/patches.test.ts` tells when it knows both.
 */
async function toMammothInput({ has, read }: ZipEntries): Promise<{ buffer: Buffer }> {
  const hiddenStyles = findHiddenStyles(has(STYLES) ? (await read(STYLES)).toString() : '');
  const file = {
    exists: has,
    read: async (name: string, encoding?: string) => {
      const bytes = await read(name);
      if (!encoding) return bytes;
      if (encoding === 'base64') return bytes.toString('base64');
      return toShownXml(bytes.toString(), hiddenStyles);
    },
  };
  return { file } as object as { buffer: Buffer };
}

/** The text of a Word document, with its lists and tables. */
export async function docxText(bytes: Buffer): Promise<string> {
  const entries = await openZip(bytes);
  if (!entries.has('[Content_Types].xml')) throw new UnreadableDocumentError('it is a ZIP file but not DOCX');
  try {
    const { value } = await convertToHtml(await toMammothInput(entries), {
      convertImage: images.imgElement(() => Promise.resolve({ src: '' })),
    });
    return htmlToText(value);
  } catch (error) {
    if (error instanceof UnreadableDocumentError) throw error;
    // Any other error of the parser is caused by the document.
    throw new UnreadableDocumentError('it is not a valid DOCX');
  }
}
