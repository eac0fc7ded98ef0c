import { Parser } from 'htmlparser2';
import { UnreadableDocumentError } from '../unreadable-document.error';

/** Browsers have a similar limit: Chrome and Safari stop at 512. */
export const MAX_NESTING = 500;

/**
 * Web pages have thousands of parts, whole books a few hundred thousand. The reader of DOCX takes far more memory
 * for each.
 */
const MAX_PARTS = { html: 1_000_000, xml: 500_000 };

const parseSpan = (value: string | undefined) => {
  const span = Number.parseInt(value ?? '', 10);
  return span > 1 ? span : 1;
};

/** Checks two of the rules of XML: a parser is slow if these are violated many times. */
function assertWellFormed(isWellFormed: boolean): void {
  if (!isWellFormed) throw new UnreadableDocumentError('its XML is not well-formed');
}

/**
 * Scans HTML or XML as a stream and measures what building a tree of it would cost, because a small file can take
 * minutes and gigabytes.
 */
export class MarkupScan {
  /** The number of elements and pieces of text. */
  parts = 0;
  /** The sum of their depths: the cost of visiting the ancestors of each of them. */
  depths = 0;
  /** The number of table cells, each counted as often as it spans. */
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
          if (name === 'td' || name === 'th') this.cells += parseSpan(colspan) * parseSpan(rowspan);
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

  /** @throws UnreadableDocumentError */
  write(markup: string): void {
    this.parser.write(markup);
  }

  /** @throws UnreadableDocumentError */
  end(): void {
    this.parser.end();
  }

  private count(): void {
    this.parts++;
    this.depths += this.depth;
    if (this.depth > MAX_NESTING) {
      throw new UnreadableDocumentError(
        `it is nested too deeply: more than ${MAX_NESTING} levels of elements`,
      );
    }
    if (this.parts > this.maxParts) {
      throw new UnreadableDocumentError(`it has more than ${this.maxParts} elements and pieces of text`);
    }
  }
}
