import type { Services } from './services';
import type { Workspace } from '../test/support/workspaces';

export interface Options {
  /** The length of one round of one server. */
  seconds: number;
  rounds: number;
  /** The length of the soak. */
  minutes: number;
  /** The load of the soak, as a share of the measured limit. */
  rate: number;
  /** Reduces everything, to see that a benchmark works. Its figures mean nothing. */
  short: boolean;
}

/** The data and services that the benchmarks of a run share. */
export interface Bench {
  services: Services;
  /**
   * The workspaces that exist in the template of every database of Parley, and in every database of the reference.
   */
  workspaces: Workspace[];
  options: Options;
}

export interface Benchmark {
  name: string;
  /** The subject of the benchmark. */
  title: string;
  /** Whether it runs only if it is named. */
  onRequest?: boolean;
  /** Measures and prints. */
  run(bench: Bench): Promise<void>;
}
