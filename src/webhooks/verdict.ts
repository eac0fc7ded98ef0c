import { byName } from '../database/closed-list';

/** What the response to an attempt means for its delivery. */
export const VERDICT = byName(['delivered', 'retry', 'failed']);
export type Verdict = keyof typeof VERDICT;
