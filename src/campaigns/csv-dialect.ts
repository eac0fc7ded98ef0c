const SEPARATORS = [',', ';', '\t'];
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
const [QUOTE, CR, LF] = Buffer.from('"\r\n');

/** Where the first line that is not empty ends, line breaks in quotes aside; undefined: not yet. */
function endOfFirstLine(head: Buffer): number | undefined {
  let quoting = false;
  let empty = true;
  for (const [index, byte] of head.entries()) {
    if (byte === QUOTE) quoting = !quoting;
    const breaks = !quoting && (byte === CR || byte === LF);
    if (breaks && !empty) return index;
    if (!breaks) empty = false;
  }
  return undefined;
}

/** Whether the beginning of a file is enough of it to tell its separator. */
export const hasFirstLine = (head: Buffer) => endOfFirstLine(head) !== undefined;

/** What stands most often in the header, outside quotes: a comma, a semicolon (as European spreadsheets have it) or a tab. */
export function separatorOf(head: Buffer): string {
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
