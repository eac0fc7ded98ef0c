/** The characters that end a line for some reader of a text. */
const LINE_ENDS = /[\n\v\f\r\x85\u2028\u2029]+/g;

/** A page of lines. A text from outside that has lines of its own cannot make one that looks like one of the page. */
export const joinLines = (lines: string[]): string =>
  lines.map((line) => line.replaceAll(LINE_ENDS, ' ')).join('\n');
