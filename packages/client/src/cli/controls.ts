/**
 * Characters that a terminal would obey, and those that change the direction of a text: C0, DEL, C1, and the marks of
 * the bidirectional algorithm.
 */
// eslint-disable-next-line no-control-regex -- these are the characters that must not reach a terminal
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const toHex = (character: string, digits: number) =>
  character.charCodeAt(0).toString(16).padStart(digits, '0');

/** Writes control characters as escapes, such as `\x1b`. */
export const showControls = (text: string): string =>
  text.replace(CONTROLS, (character) => {
    const isByte = character.charCodeAt(0) < 256;
    return SHORT[character] ?? (isByte ? `\\x${toHex(character, 2)}` : `\\u${toHex(character, 4)}`);
  });

/** Writes the lines of a text that arrives in parts, each without control characters. */
export async function* showLines(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of parts) {
    const text = rest + decoder.decode(part, { stream: true });
    // The next part may begin with the line feed that belongs to it.
    rest = text.endsWith('\r') ? '\r' : '';
    yield showEachLine(text.slice(0, text.length - rest.length));
  }
  yield showEachLine(rest + decoder.decode());
}

const showEachLine = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => showControls(line))
    .join('\n');

/** JSON in one line, with escapes for all control characters; it means the same. */
export const toSafeJson = (value: unknown): string =>
  JSON.stringify(value).replace(CONTROLS, (character) => `\\u${toHex(character, 4)}`);
