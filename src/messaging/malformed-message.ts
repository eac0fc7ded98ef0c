/**
 * A verdict, of a broker or a handler, that a message can't ever be understood; its message says what is wrong, without
 * the values. {@link BrokerServer} gives such a message up; every other error counts as temporary.
 */
export class MalformedMessage extends Error {}
