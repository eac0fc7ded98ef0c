/** At the beginning of a cell. A phone number is none: a program can dial it, and a spreadsheet shows its digits. */
const FORMULA = /^(?!\+\d{1,15}$)[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/**
 * After what a spreadsheet may take for the end of a cell. One that splits at semicolons also splits cells within quotes,
 * and removes quotes and spaces at the beginning of the parts.
 */
const FORMULA_WITHIN = /(?<=[;,|\t\r\n][\s"']*)[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/g;

/** An apostrophe before what a spreadsheet would run as a formula makes it a text. */
export const withoutFormulas = (text: string): string =>
  text.replace(FORMULA_WITHIN, "'$&").replace(FORMULA, "'$&");
