/**
 * A broker or a handler cannot process a message, now or later. The text says what is wrong, without the values.
 * {@link BrokerServer} rejects such a message; it treats every other error as temporary.
 */
export class MalformedMessageError extends Error {}
