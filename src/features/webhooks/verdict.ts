import { byName } from '../../platform/database/closed-list';

/** The meaning of the response to an attempt for its delivery. */
export const VERDICT = byName(['delivered', 'retry', 'failed']);
export type Verdict = keyof typeof VERDICT;
