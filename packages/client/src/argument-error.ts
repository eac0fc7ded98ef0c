/** An argument that cannot be used; nothing was requested. */
export class ArgumentError extends TypeError {}
