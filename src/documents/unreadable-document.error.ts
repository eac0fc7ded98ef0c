/** A document has no text that can be read. The message is shown to users and says why, after "because". */
export class UnreadableDocumentError extends Error {}

/** A link has no text now, and may have some later. */
export class SourceUnavailableError extends UnreadableDocumentError {}
