/** The parts of a call that a provider does. */
export const PARTS = ['recognition', 'language', 'synthesis'] as const;
export type ServicePart = (typeof PARTS)[number];

/** A provider that goes on when another one fails. */
export interface Follower {
  provider: string;
  /** Its language model, its model of recognition, or its voice. undefined: as the agent says, or its default. */
  model?: string;
}

/** The providers that follow one that fails, and the times after which they do. */
export interface Fallbacks extends Record<ServicePart, readonly Follower[]> {
  /** Whether the speech of this machine is last, for an agent that speaks English. */
  hasLocal: boolean;
  /** If nothing has come by then, the next provider is asked beside it, in milliseconds. undefined: it is not. */
  hedgeMs?: number;
  /** After these failures in a row a provider is not asked for this time, in milliseconds. undefined: it always is. */
  breaker?: { failures: number; ms: number };
  /** The end of a call in which all have failed. */
  lastResort: 'apologise' | 'transfer';
}

/** Nothing follows. */
export const NO_FALLBACKS: Fallbacks = {
  ...{ recognition: [], language: [], synthesis: [] },
  ...{ hasLocal: false, lastResort: 'apologise' },
};
