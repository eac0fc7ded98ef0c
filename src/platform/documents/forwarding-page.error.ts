import { UnreadableDocumentError } from './unreadable-document.error';

/** A page has hardly a text of its own, because it forwards the visitor to another address. */
export class ForwardingPageError extends UnreadableDocumentError {
  /** @param target the address, relative to that of the page if the page has none, as an uploaded file */
  constructor(readonly target: string) {
    super(`it only forwards to ${target}`);
  }
}
