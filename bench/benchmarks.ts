import { accept } from './accept';
import type { Benchmark } from './benchmark';
import { hotWorkspace } from './hot-workspace';

/** All benchmarks, in the order in which they run. */
export const BENCHMARKS: Benchmark[] = [accept, hotWorkspace];
