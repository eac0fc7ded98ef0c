import { accept } from './accept';
import type { Benchmark } from './benchmark';
import { campaign } from './campaign';
import { consoleLive } from './console-live';
import { consolePages } from './console-pages';
import { heartbeats } from './heartbeats';
import { hotWorkspace } from './hot-workspace';
import { lifecycle } from './lifecycle';
import { pacing } from './pacing';
import { serverProcesses } from './server-processes';
import { soak } from './soak';
import { storage } from './storage';
import { tools } from './tools';
import { tracing } from './tracing';
import { windows } from './windows';

/** All benchmarks, in the order in which they run. */
export const BENCHMARKS: Benchmark[] = [
  accept,
  hotWorkspace,
  serverProcesses,
  tracing,
  lifecycle,
  heartbeats,
  campaign,
  storage,
  tools,
  pacing,
  windows,
  consoleLive,
  consolePages,
  soak,
];
