import { convert, type FormatCallback, type HtmlToTextOptions, type SelectorDefinition } from 'html-to-text';
import { MarkupScan, MAX_NESTING } from './markup-scan';

/** A table's columns are aligned in time that grows with the square of its width. */
const MAX_ALIGNED_CELLS = 20_000;

const SKIPPED = ['img', 'nav', 'script', 'style', 'noscript', 'template', 'svg'];
/** A form's text is kept: some sites wrap their whole page in one. */
const CONTROLS = ['input', 'select', 'button', 'textarea', 'datalist'];

/** Begin on a line of their own in every browser, which the library knows of other elements only. */
const LINES = ['dt', 'dd', 'li', 'tr', 'summary', 'legend', 'caption', 'figcaption', 'option'];
const BLOCKS = ['dl', 'details', 'address', 'figure', 'fieldset', 'dialog', 'hgroup', 'search', 'center'];

const asWritten = { options: { uppercase: false } };
const oneLine = { leadingLineBreaks: 1, trailingLineBreaks: 1 };

/** The library's table has rows only. */
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
  // The scan has refused what is deeper; finding the main part wraps a few elements more around others.
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

/** @throws Unreadable where it is nested too deeply or is too much */
export const htmlToText = (html: string): string => convert(html, optionsFor(scan(html)));
