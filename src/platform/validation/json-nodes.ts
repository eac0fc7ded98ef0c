const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const OPEN_LIST = 0x5b;
const COMMA = 0x2c;
const COLON = 0x3a;

/**
 * Counts the nodes of JSON text without building anything: its opening brackets, commas and colons outside of strings.
 * @param limit where the count stops
 */
export function countJsonNodes(bytes: Uint8Array, limit = Infinity): number {
  let nodes = 0;
  let inString = false;
  for (let index = 0; index < bytes.length && nodes < limit; index += 1) {
    const byte = bytes[index];
    if (inString) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) {
      inString = true;
    } else if (byte === COMMA || byte === COLON || byte === OPEN_OBJECT || byte === OPEN_LIST) {
      nodes += 1;
    }
  }
  return nodes;
}
