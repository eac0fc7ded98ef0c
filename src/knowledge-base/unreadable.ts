/** A link or a document has no text for us. The message says why, after "because": it is shown to the client. */
export class Unreadable extends Error {}
