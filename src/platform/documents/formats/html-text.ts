import { convert, type FormatCallback, type HtmlToTextOptions, type SelectorDefinition } from 'html-to-text';
import { MarkupScan, MAX_NESTING } from './markup-scan';

/** Aligning the columns of a table takes quadratic time in its width. */
const MAX_ALIGNED_CELLS = 20_000;

const SKIPPED = ['img', 'nav', 'script', 'style', 'noscript', 'template', 'svg'];
/** The text of a form is kept, because some sites wrap their whole page in one. */
const CONTROLS = ['input', 'select', 'button', 'textarea', 'datalist'];

/** Browsers show these elements on lines of their own. The library does so for other elements only. */
const LINES = ['dt', 'dd', 'li', 'tr', 'summary', 'legend', 'caption', 'figcaption', 'option'];
const BLOCKS = ['dl', 'details', 'address', 'figure', 'fieldset', 'dialog', 'hgroup', 'search', 'center'];

const asWritten = { options: { uppercase: false } };
const oneLine = { leadingLineBreaks: 1, trailingLineBreaks: 1 };

/** The library's tables have no caption. */
const captionedTable: FormatCallback = (table, walk, builder, options) => {
  const captions = table.children?.filter(({ name }) => name === 'caption') ?? [];
  for (const caption of captions) walk([caption], builder);
  const { formatters } = builder.options as Required<HtmlToTextOptions>;
  formatters.dataTable?.(table, walk, builder, options);
};

const spacedCells = ['td', 'th'].map((selector) => ({
  selector,
  format: 'inlineSurround',
  options: { prefix: '', suffix: '   ' },
}));

const alignedTable = {
  selector: 'table',
  format: 'captionedTable',
  options: { uppercaseHeaderCells: false, leadingLineBreaks: 1 },
};

const formatAll = (selectors: string[], definition: Omit<SelectorDefinition, 'selector'>) =>
  selectors.map((selector) => ({ selector, ...definition }));

const optionsFor = ({ cells }: MarkupScan): HtmlToTextOptions => ({
  wordwrap: false,
  // The scan has refused deeper markup; finding the main part adds a few elements around others.
  limits: { maxDepth: 2 * MAX_NESTING, maxInputLength: Infinity },
  formatters: { captionedTable },
  selectors: [
    ...formatAll(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'], asWritten),
    { selector: 'a', options: { ignoreHref: true } },
    ...formatAll(LINES, { format: 'block', options: oneLine }),
    ...formatAll(BLOCKS, { format: 'block' }),
    ...(cells > MAX_ALIGNED_CELLS ? spacedCells : [alignedTable]),
    ...formatAll([...SKIPPED, ...CONTROLS], { format: 'skip' }),
  ],
});

export function scan(html: string): MarkupScan {
  const found = new MarkupScan();
  found.write(html);
  found.end();
  return found;
}

/** @throws UnreadableDocumentError if the markup is nested too deeply or is too large */
export const htmlToText = (html: string): string => convert(html, optionsFor(scan(html)));
