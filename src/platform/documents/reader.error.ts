/** The reader failed for no known reason in the document. The message is shown to users and says how, after "because". */
export class ReaderError extends Error {}
