import type { Attacker, Target } from './attacker';

/** Work of the neighbour that the server does in the background. */
export type BackgroundWork = 'document' | 'campaign' | 'web call' | 'webhook';

/** The requests that one workspace sends to a server while the requests of another workspace are timed. */
export interface Attack {
  /** Creates what the attack needs, before the timing begins. */
  prepare?(attacker: Attacker): Promise<void>;
  /** Sends requests, repeatedly until the time is over. */
  run(attacker: Attacker): Promise<void>;
  /** The statuses that the answers to the attacker may have. */
  expectedStatuses: number[];
  /** Settings of the server that differ from the defaults. */
  settings?: 'identity provider' | 'voice';
  needsRabbitmq?: boolean;
  /** The background work of the neighbour that is timed too. */
  background?: BackgroundWork;
}

export type Order = { prepare: string; target: Target } | 'run' | 'stop';

export type Report =
  | 'ready'
  | {
      requests: number;
      /** The number of answers with each status; requests without an answer count as 'aborted' or 'failed'. */
      answers: Record<string, number>;
      /** The first body with each status. */
      bodies: Record<string, string>;
      error?: string;
    };
