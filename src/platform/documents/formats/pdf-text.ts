import { extractText, getDocumentProxy } from 'unpdf';
import { UnreadableDocumentError } from '../unreadable-document.error';

const PDF_ERRORS: Record<string, string> = {
  PasswordException: 'it is encrypted',
  InvalidPDFException: 'it is not a valid PDF',
};

/** A hyphen between lower case letters at the end of a line. */
const HYPHEN_AT_END = /(?<=\p{Ll})[-\u2010\u2011][^\S\n]*\n[^\S\n]*(?=\p{Ll})/gu;

/** The length is that of a long word: what is looked at around a hyphen is bounded. */
const WORD_LENGTH = 50;

/** "pre- and post-war": the hyphen stands for a part that is left out. */
const CONJUNCTION = /^(and|or|und|oder)\P{L}/u;

/** A character that an address has within it, and a word has not. */
const IN_ADDRESS = /[@/_\d]|\.\S/;

/** Joins the words that lines split. A hyphen stays in a word that the text has with its hyphen elsewhere too. */
export function joinWords(pages: string[]): string[] {
  const compounds = new Set(
    pages.flatMap((page) => page.split(/[^\p{L}\p{M}-]+/u).filter((word) => word.includes('-'))),
  );
  return pages.map((page) =>
    page.replace(HYPHEN_AT_END, (hyphen, offset: number) => {
      const end = offset + hyphen.length;
      const before = /\S*$/.exec(page.slice(Math.max(0, offset - WORD_LENGTH), offset))?.[0] ?? '';
      const after = page.slice(end, end + WORD_LENGTH);
      if (CONJUNCTION.test(after)) return hyphen;
      const [rest = ''] = after.split(/\s/, 1);
      const [first = '', second = ''] = [
        /[\p{L}\p{M}]*$/u.exec(before)?.[0],
        /^[\p{L}\p{M}]*/u.exec(rest)?.[0],
      ];
      return compounds.has(`${first}-${second}`) || IN_ADDRESS.test(before + rest) ? '-' : '';
    }),
  );
}

/** The text of each page of a PDF. */
export async function pdfText(bytes: Buffer): Promise<string[]> {
  try {
    const document = await getDocumentProxy(new Uint8Array(bytes), { isEvalSupported: false, verbosity: 0 });
    const { text } = await extractText(document, { mergePages: false });
    if (text.every((page) => page.trim() === '')) {
      throw new UnreadableDocumentError('it has no text; perhaps its pages are images');
    }
    return joinWords(text);
  } catch (error) {
    if (error instanceof UnreadableDocumentError) throw error;
    throw new UnreadableDocumentError(PDF_ERRORS[(error as Error).name] ?? 'it is not a valid PDF');
  }
}
