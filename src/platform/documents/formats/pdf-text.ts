import { extractText, getDocumentProxy } from 'unpdf';
import { UnreadableDocumentError } from '../unreadable-document.error';

const PDF_ERRORS: Record<string, string> = {
  PasswordException: 'it is encrypted',
  InvalidPDFException: 'it is not a valid PDF',
};

/** The text of each page of a PDF. */
export async function pdfText(bytes: Buffer): Promise<string[]> {
  try {
    const document = await getDocumentProxy(new Uint8Array(bytes), { isEvalSupported: false, verbosity: 0 });
    const { text } = await extractText(document, { mergePages: false });
    if (text.every((page) => page.trim() === '')) {
      throw new UnreadableDocumentError('it has no text; perhaps its pages are images');
    }
    return text;
  } catch (error) {
    if (error instanceof UnreadableDocumentError) throw error;
    throw new UnreadableDocumentError(PDF_ERRORS[(error as Error).name] ?? 'it is not a valid PDF');
  }
}
