import { convertToHtml, images } from 'mammoth';
import { UnreadableDocumentError } from '../unreadable-document.error';
import { htmlToText } from './html-text';
import { assertZipSize } from './zip';

/** The text of a Word document, with its lists and tables. */
export async function docxText(bytes: Buffer): Promise<string> {
  const names = await assertZipSize(bytes);
  if (!names.includes('[Content_Types].xml'))
    throw new UnreadableDocumentError('it is a ZIP file but not DOCX');
  try {
    const { value } = await convertToHtml(
      { buffer: bytes },
      { convertImage: images.imgElement(() => Promise.resolve({ src: '' })) },
    );
    return htmlToText(value);
  } catch (error) {
    if (error instanceof UnreadableDocumentError) throw error;
    // Any other error of the parser is caused by the document.
    throw new UnreadableDocumentError('it is not a valid DOCX');
  }
}
