import type { FaultEffects, Round } from './round';

export interface Fault extends FaultEffects {
  /** Injects the fault into an installation under load; resolves when everything runs again. */
  inject: (round: Round) => Promise<void>;
}
