import type { Services } from './services';
import type { Workspace } from '../test/support/workspaces';

export interface Options {
  /** How long one round of one side lasts. */
  seconds: number;
  rounds: number;
  /** Of the soak. */
  minutes: number;
  /** Of the soak: the share of the measured limit. */
  rate: number;
  /** Less of everything, to see that a benchmark works. Its figures mean nothing. */
  short: boolean;
}

/** What the benchmarks of a run share. */
export interface Bench {
  services: Services;
  /** Exist in the template of every database of Parley, and in every database of the reference. */
  workspaces: Workspace[];
  options: Options;
}

export interface Benchmark {
  name: string;
  /** What it measures, and the figures of it. */
  title: string;
  /** Runs only if it is named. */
  onRequest?: boolean;
  /** Measures and prints. */
  run(bench: Bench): Promise<void>;
}
