import { UnreadableDocumentError } from '../unreadable-document.error';

/** No book has more characters. A small file that expands to more is an attack. */
const MAX_CHARACTERS = 50_000_000;

/** @throws UnreadableDocumentError */
export function assertTextSize(characters: number): void {
  if (characters <= MAX_CHARACTERS) return;
  throw new UnreadableDocumentError(`its text has more than ${MAX_CHARACTERS} characters`);
}
