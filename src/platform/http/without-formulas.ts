/**
 * A formula at the beginning of a cell. A phone number is none: a program can dial it, and a spreadsheet shows its
 * digits.
 */
const FORMULA = /^(?!\+\d{1,15}$)[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/**
 * A formula after a separator within a cell: a spreadsheet that splits there also splits cells within quotes, and removes
 * quotes and spaces. The sign comes first, because a lookbehind at each character takes the square of a run of spaces.
 */
const FORMULA_WITHIN = /[=+\-@\uFF1D\uFF0B\uFF0D\uFF20](?<=[;,|\t\r\n][\s"']*.)/g;

/** Makes a formula a text: an apostrophe precedes what a spreadsheet would run. */
export const withoutFormulas = (text: string): string =>
  text.replace(FORMULA_WITHIN, "'$&").replace(FORMULA, "'$&");
