import { accept } from './accept';
import type { Benchmark } from './benchmark';
import { campaign } from './campaign';
import { consoleLive } from './console-live';
import { consolePages } from './console-pages';
import { heartbeats } from './heartbeats';
import { lifecycle } from './lifecycle';
import { soak } from './soak';
import { storage } from './storage';
import { tools } from './tools';
import { tracing } from './tracing';

/** All benchmarks, in the order in which they run. */
export const BENCHMARKS: Benchmark[] = [
  accept,
  tracing,
  lifecycle,
  heartbeats,
  campaign,
  storage,
  tools,
  consoleLive,
  consolePages,
  soak,
];
