/** A document has no text that can be read. The message is shown to users and says why, after "because". */
export class UnreadableDocumentError extends Error {}
