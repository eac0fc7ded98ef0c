/** What reads documents failed for no fault that is known of the document. The message says how, after "because". */
export class ReaderFailure extends Error {}
