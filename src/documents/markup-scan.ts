import { Parser } from 'htmlparser2';
import { UnreadableDocumentError } from './unreadable-document.error';

/** Browsers stop nesting there, too: Chrome and Safari after 512. */
export const MAX_NESTING = 500;

/** Pages of the web have some thousands, whole books a few hundred thousand. What reads DOCX takes far more for each. */
const MAX_PARTS = { html: 1_000_000, xml: 500_000 };

const spanOf = (value: string | undefined) => {
  const span = Number.parseInt(value ?? '', 10);
  return span > 1 ? span : 1;
};

/** Two of the many rules of XML: those that a parser takes its time over when they are broken again and again. */
function assertWellFormed(isWellFormed: boolean): void {
  if (!isWellFormed) throw new UnreadableDocumentError('its XML is not well-formed');
}

/**
 * Walks through HTML or XML without keeping it, and tells what it would cost to make a tree of it, which is where a
 * small file can take minutes and gigabytes.
 */
export class MarkupScan {
  /** Elements and pieces of text. */
  parts = 0;
  /** The sum of how deep each of them lies: what looking upwards from each of them costs. */
  depths = 0;
  /** Of tables, each as often as it spans. */
  cells = 0;
  private depth = 0;
  private readonly maxParts: number;
  private readonly parser: Parser;

  constructor({ xml = false } = {}) {
    this.maxParts = xml ? MAX_PARTS.xml : MAX_PARTS.html;
    const count = () => this.count();
    this.parser = new Parser(
      {
        onopentag: (name, { colspan, rowspan }) => {
          if (xml) assertWellFormed(!name.includes('<'));
          this.depth++;
          count();
          if (name === 'td' || name === 'th') this.cells += spanOf(colspan) * spanOf(rowspan);
        },
        onclosetag: () => void this.depth--,
        ontext: count,
        oncomment: (comment) => {
          if (xml) assertWellFormed(!comment.includes('--'));
          count();
        },
      },
      { xmlMode: xml },
    );
  }

  /** @throws Unreadable */
  write(markup: string): void {
    this.parser.write(markup);
  }

  /** @throws Unreadable */
  end(): void {
    this.parser.end();
  }

  private count(): void {
    this.parts++;
    this.depths += this.depth;
    if (this.depth > MAX_NESTING) {
      throw new UnreadableDocumentError(
        `it is nested too deeply: more than ${MAX_NESTING} elements within each other`,
      );
    }
    if (this.parts > this.maxParts) {
      throw new UnreadableDocumentError(
        `it is made of more than ${this.maxParts} elements and pieces of text`,
      );
    }
  }
}
