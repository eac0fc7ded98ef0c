import { uuidv7 } from 'uuidv7';

/**
 * An id for a rehearsal, which runtimes know as a call: a UUID of version 8 with the time of one of version 7. No call has
 * such an id, so its messages are told from those of calls without a query.
 */
export const newRehearsalId = (): string => uuidv7().replace(/^(.{14})7/, '$18');

export const isRehearsalId = (id: string): boolean => id[14] === '8';
