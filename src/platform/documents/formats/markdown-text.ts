import MarkdownIt from 'markdown-it';
import { htmlToText } from './html-text';
import { MAX_NESTING } from './markup-scan';

/** The library drops deeper markup without an error. The limit is above that of HTML, which refuses it. */
const markdown = new MarkdownIt({ html: true }).set({ maxNesting: 2 * MAX_NESTING });
// A link that the library refuses stays in the text as source, with the bytes of a picture in a data URL.
markdown.validateLink = () => true;

/** Metadata at the start of a file: YAML between two lines of ---, or TOML between two lines of +++. */
const FRONT_MATTER = /^(-{3}|\+{3})[^\S\n]*\n(?=#|[^\n]*[:=])[^]*?\n\1[^\S\n]*(?:\n|$)/;

/**
 * The text of Markdown with its lists and tables, without its markup; HTML in it is read too.
 * @throws UnreadableDocumentError if it is nested too deeply or is too large
 */
export const markdownText = (text: string): string =>
  htmlToText(markdown.render(text.replace(FRONT_MATTER, '')));
