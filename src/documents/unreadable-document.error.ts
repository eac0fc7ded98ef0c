/** A link or a document has no text for us. The message says why, after "because": it is shown to the client. */
export class UnreadableDocumentError extends Error {}

/** A link has no text for us now, and may have some later. */
export class SourceUnavailableError extends UnreadableDocumentError {}
