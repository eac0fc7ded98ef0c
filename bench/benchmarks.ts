import { accept } from './accept';
import type { Benchmark } from './benchmark';
import { campaign } from './campaign';
import { heartbeats } from './heartbeats';
import { hotWorkspace } from './hot-workspace';
import { lifecycle } from './lifecycle';
import { soak } from './soak';
import { storage } from './storage';

/** All benchmarks, in the order in which they run. */
export const BENCHMARKS: Benchmark[] = [accept, hotWorkspace, lifecycle, heartbeats, campaign, storage, soak];
