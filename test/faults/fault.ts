import type { Aftermath, Round } from './round';

export interface Fault extends Aftermath {
  /** Strikes an installation under load; resolves when everything is up again. */
  strike: (round: Round) => Promise<void>;
}
