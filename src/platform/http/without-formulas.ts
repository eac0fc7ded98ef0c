/**
 * A formula at the beginning of a cell. A phone number is none: a program can dial it, and a spreadsheet shows its
 * digits.
 */
const FORMULA = /^(?!\+\d{1,15}$)[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/**
 * A formula after a separator within a cell. A spreadsheet that splits at semicolons also splits cells within
 * quotes, and removes quotes and spaces at the beginning of the parts.
 */
const FORMULA_WITHIN = /(?<=[;,|\t\r\n][\s"']*)[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/g;

/** Makes a formula a text: an apostrophe precedes what a spreadsheet would run. */
export const withoutFormulas = (text: string): string =>
  text.replace(FORMULA_WITHIN, "'$&").replace(FORMULA, "'$&");
