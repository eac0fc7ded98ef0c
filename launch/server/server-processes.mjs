import cluster from 'node:cluster';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import client from 'prom-client';
import { LaunchError } from '../process/launch-error.cjs';
import { root } from '../process/root.mjs';
import { beforeShutdown } from '../process/shutdown.mjs';

const RESTART_PAUSE_MS = 1_000;
/** A process drains for 20 s at most, and then closes within 10 s. */
const STOP_LIMIT_MS = 35_000;
const REPORT_TIMEOUT_MS = 2_000;
/** The counts of a killed process since the last report are lost. */
const REPORT_EVERY_MS = 5_000;

/** Resolves with the values of the event. `once` of Node.js would reject at an error event. */
const waitFor = (worker, event) =>
  new Promise((resolve) => worker.once(event, (...values) => resolve(values)));

/** Runs a server in several processes on one port, and starts one that has ended again. */
class ServerProcesses {
  #isStopping = false;
  /** The processes that run: whether each has started, and the promise of its exit code and signal. */
  #processes = new Map();
  /** The last metrics of each process by its id in the cluster. */
  #reports = new Map();
  /** The counters of the processes that have ended. */
  #ended = [];
  #waiting = new Map();

  /** @returns the URL of the server @throws LaunchError if a process does not start */
  async start(count, main) {
    cluster.setupPrimary({ exec: join(root, 'launch', 'server', 'server-process.mjs'), args: [main] });
    cluster.on('message', (worker, message) => this.#onMessage(worker, message));
    beforeShutdown((signal) => this.#stop(signal));
    // The first one migrates and prints the welcome, before the others write their lines.
    const { url } = await this.#fork({ PARLEY_WELCOME: '1' });
    await Promise.all(Array.from({ length: count - 1 }, () => this.#fork()));
    setInterval(() => void this.#collect(), REPORT_EVERY_MS).unref();
    return url;
  }

  async #fork(environment) {
    const worker = cluster.fork(environment);
    // A message to a process that was killed just now fails; the end of the process follows.
    worker.on('error', () => undefined);
    // The last message of a process may arrive after its exit, but not after its disconnection.
    const ended = Promise.all([waitFor(worker, 'exit'), waitFor(worker, 'disconnect')]).then(([end]) => end);
    const state = { hasStarted: false, ended };
    this.#processes.set(worker, state);
    void ended.then((end) => this.#onEnd(worker, end));
    const started = new Promise((resolve) =>
      worker.on('message', (message) => message.type === 'started' && resolve(message)),
    );
    const message = await Promise.race([started, ended.then(() => undefined)]);
    if (!message) throw new LaunchError(`Process ${worker.id} of the server did not start.`);
    state.hasStarted = true;
    return message;
  }

  async #onEnd(worker, [code, signal]) {
    const { hasStarted } = this.#processes.get(worker);
    this.#processes.delete(worker);
    this.#keepCounters(worker.id);
    if (!hasStarted || this.#isStopping) return;
    const reason = signal ?? `exit code ${code}`;
    console.error(`Process ${worker.id} of the server has ended (${reason}). Another one is started.`);
    while (!this.#isStopping) {
      await pause(RESTART_PAUSE_MS);
      try {
        if (!this.#isStopping) await this.#fork();
        return;
      } catch (error) {
        if (!this.#isStopping) console.error(error.message);
      }
    }
  }

  async #stop(signal = 'SIGTERM') {
    this.#isStopping = true;
    const processes = [...this.#processes];
    const killAll = (by) => processes.forEach(([worker]) => worker.process.kill(by));
    killAll(signal);
    const timer = setTimeout(() => killAll('SIGKILL'), STOP_LIMIT_MS);
    // The exit code of a process that has not started does not matter: it served nobody.
    const codes = await Promise.all(
      processes.map(async ([, { hasStarted, ended }]) => {
        const [code] = await ended;
        return hasStarted ? code : 0;
      }),
    );
    clearTimeout(timer);
    if (codes.some((code) => code !== 0))
      throw new LaunchError('Some processes of the server did not end cleanly.');
  }

  #onMessage(worker, { type, requestId, metrics }) {
    if (type === 'metrics.reported') {
      this.#reports.set(worker.id, metrics);
      this.#waiting.get(`${requestId} ${worker.id}`)?.();
    }
    if (type === 'metrics.sum_requested') void this.#sendSum(worker, requestId);
  }

  async #sendSum(worker, requestId) {
    await this.#collect();
    const text = await client.AggregatorRegistry.aggregate([
      ...this.#reports.values(),
      this.#ended,
    ]).metrics();
    if (worker.isConnected()) worker.send({ type: 'metrics.sum', requestId, text });
  }

  /** Requests the metrics of all processes. One that does not answer in time is represented by its last report. */
  #collect() {
    const requestId = String(Math.random());
    const workers = Object.values(cluster.workers).filter((worker) => worker.isConnected());
    return Promise.all(
      workers.map(async (worker) => {
        const key = `${requestId} ${worker.id}`;
        const reported = new Promise((resolve) => this.#waiting.set(key, resolve));
        worker.send({ type: 'metrics.requested', requestId });
        await Promise.race([reported, pause(REPORT_TIMEOUT_MS, undefined, { ref: false })]);
        this.#waiting.delete(key);
      }),
    );
  }

  #keepCounters(id) {
    const counters = (this.#reports.get(id) ?? []).filter(({ type }) =>
      ['counter', 'histogram'].includes(type),
    );
    this.#reports.delete(id);
    this.#ended = addUp([this.#ended, counters]);
  }
}

/** @returns metrics as the library's registry returns them as JSON */
function addUp(reports) {
  const registry = client.AggregatorRegistry.aggregate(reports);
  return registry.getMetricsAsArray().map((metric) => metric.get());
}

/**
 * Starts the processes, which a signal stops.
 * @param main the file of the compiled server
 * @returns the URL of the server
 */
export const startProcesses = (count, main) => new ServerProcesses().start(count, main);
