import {
  SimulatedRuntime,
  type SimulatedRuntimeOptions,
} from '../../src/tools/simulated-runtime/simulated-runtime';
import type { TestParley } from './parley';

/** Milliseconds per line of a conversation. */
const PACE = 20;

/** Starts simulated runtimes for a server. They are stopped after each test. */
export function useSimulatedRuntimes(parley: TestParley) {
  const running: SimulatedRuntime[] = [];
  afterEach(() => Promise.all(running.splice(0).map((runtime) => runtime.stop())));

  return async (options: Partial<SimulatedRuntimeOptions> = {}): Promise<SimulatedRuntime> => {
    const { broker, topology } = parley;
    const runtime = new SimulatedRuntime({
      broker,
      topology,
      workerId: 'test runtime',
      pace: PACE,
      publicUrl: parley.url,
      ...options,
    });
    running.push(runtime);
    await runtime.start();
    return runtime;
  };
}
