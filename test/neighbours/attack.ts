import type { Attacker, Target } from './attacker';

/** What one workspace does to a server, while another one's requests are timed. */
export interface Attack {
  /** What has to be there first; not timed. */
  prepare?(attacker: Attacker): Promise<void>;
  /** Done again and again, until the time is over. */
  strike(attacker: Attacker): Promise<void>;
  /** Every status that the attacker may be answered with. */
  answers: number[];
  /** Settings of the server that differ from the defaults. */
  settings?: 'foreign tokens';
  /** Needs RabbitMQ. */
  broker?: boolean;
  /** What of the neighbour's background work is timed too. */
  background?: 'document' | 'campaign';
}

export type Order = { prepare: string; target: Target } | 'strike' | 'stop';

export type Report =
  | 'ready'
  | {
      requests: number;
      /** How many of them were answered with each status; 'abandoned' and 'failed' without one. */
      answers: Record<string, number>;
      /** The first body with each status. */
      bodies: Record<string, string>;
      error?: string;
    };
