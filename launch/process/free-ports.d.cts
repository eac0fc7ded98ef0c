/** Different free ports of 127.0.0.1. Another program may take one before it is used. */
export function freePorts(count: number): Promise<number[]>;
