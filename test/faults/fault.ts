import type { Round } from './round';

/** What is done to an installation under load; resolves when everything is up again. */
export type Fault = (round: Round) => Promise<void>;
