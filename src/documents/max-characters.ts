import { UnreadableDocumentError } from './unreadable-document.error';

/** More than any book; what says more has been made to say much. */
const MAX_CHARACTERS = 50_000_000;

/** @throws Unreadable */
export function assertTextSize(characters: number): void {
  if (characters <= MAX_CHARACTERS) return;
  throw new UnreadableDocumentError(`its text has more than ${MAX_CHARACTERS} characters`);
}
