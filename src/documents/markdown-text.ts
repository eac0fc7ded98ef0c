import MarkdownIt from 'markdown-it';
import { htmlToText } from './html-text';
import { MAX_NESTING } from './markup-scan';

/** What is deeper is left out, so it lies beyond what the HTML may have, where it is refused. */
const markdown = new MarkdownIt({ html: true }).set({ maxNesting: 2 * MAX_NESTING });
// Nobody follows these links. One that is refused would stay in the text as it was written, a picture's bytes too.
markdown.validateLink = () => true;

/** What a program reads of a file: YAML or TOML between two lines, from the first on. */
const FRONT_MATTER = /^(-{3}|\+{3})[^\S\n]*\n(?=#|[^\n]*[:=])[^]*?\n\1[^\S\n]*(?:\n|$)/;

/**
 * The text of Markdown, with its lists and tables and without its marks; the HTML in it is read too.
 * @throws Unreadable where it is nested too deeply or is too much
 */
export const markdownText = (text: string): string =>
  htmlToText(markdown.render(text.replace(FRONT_MATTER, '')));
