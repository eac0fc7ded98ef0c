const SEPARATORS = [',', ';', '\t'];
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
const [QUOTE, CR, LF] = Buffer.from('"\r\n');

/**
 * The position of the end of the first line that is not empty. Line breaks within quotes do not count.
 * @returns undefined if the line has no end
 */
function endOfFirstLine(head: Buffer): number | undefined {
  let isQuoted = false;
  let isEmpty = true;
  for (const [index, byte] of head.entries()) {
    if (byte === QUOTE) isQuoted = !isQuoted;
    const isBreak = !isQuoted && (byte === CR || byte === LF);
    if (isBreak && !isEmpty) return index;
    if (!isBreak) isEmpty = false;
  }
  return undefined;
}

/** The length in which a declaration is looked for. */
const MAX_DECLARATION = 100;

const declarationIn = (head: Buffer) => head.subarray(0, MAX_DECLARATION).toString('latin1');

/**
 * The separator that a first line such as `sep=;` declares, and the length of the line. Excel reads it, and does not
 * show it as a row.
 */
export function readDeclaration(head: Buffer): { separator: string; length: number } | undefined {
  const [line, , separator] = /^("?)sep=([,;|\t])\1\2*(?:\r\n|\r|\n|$)/i.exec(declarationIn(head)) ?? [];
  return line === undefined || separator === undefined ? undefined : { separator, length: line.length };
}

/** Whether the head of a file is long enough to find its separator. A declaration may end with another byte. */
export const hasFirstLine = (head: Buffer) =>
  endOfFirstLine(head) !== undefined && !/^"?sep=[^\r]*\r$/i.test(declarationIn(head));

/** Returns the most frequent separator in the header, outside quotes. European spreadsheets use semicolons. */
export function detectSeparator(head: Buffer): string {
  const line = head
    .subarray(0, endOfFirstLine(head))
    .toString('latin1')
    .replace(/"[^"]*"?/g, '');
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] as string;
}

export const withoutByteOrderMark = (head: Buffer) =>
  head.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? head.subarray(BYTE_ORDER_MARK.length)
    : head;
