import cluster from 'node:cluster';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import client from 'prom-client';
import { LaunchError } from './launch-error.cjs';
import { root } from './root.mjs';
import { beforeShutdown } from './shutdown.mjs';

const RESTART_PAUSE_MS = 1_000;
/** A process drains for 20 s at most, and then closes within 10 s. */
const STOP_LIMIT_MS = 35_000;
const REPORT_TIMEOUT_MS = 2_000;
/** The counts of a killed process since the last report are lost. */
const REPORT_EVERY_MS = 5_000;

/** Runs a server in several processes on one port, and starts one that has ended again. */
class ServerProcesses {
  #isStopping = false;
  /** The last metrics of each process by its id in the cluster. */
  #reports = new Map();
  /** The counters of the processes that have ended. */
  #ended = [];
  #waiting = new Map();

  /** @returns the URL of the server @throws LaunchError if a process does not start */
  async start(count, main) {
    cluster.setupPrimary({ exec: join(root, 'scripts', 'server-process.mjs'), args: [main] });
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
    const ended = once(worker, 'exit');
    const started = new Promise((resolve) =>
      worker.on('message', (message) => message.type === 'started' && resolve(message)),
    );
    const message = await Promise.race([started, ended.then(() => undefined)]);
    if (!message) throw new LaunchError(`Process ${worker.id} of the server did not start.`);
    void ended.then(([code, signal]) => this.#onEnd(worker, signal ?? `exit code ${code}`));
    return message;
  }

  async #onEnd({ id }, reason) {
    this.#keepCounters(id);
    if (this.#isStopping) return;
    console.error(`Process ${id} of the server has ended (${reason}). Another one is started.`);
    while (!this.#isStopping) {
      await pause(RESTART_PAUSE_MS);
      try {
        if (!this.#isStopping) await this.#fork();
        return;
      } catch (error) {
        console.error(error.message);
      }
    }
  }

  async #stop(signal = 'SIGTERM') {
    this.#isStopping = true;
    const workers = Object.values(cluster.workers);
    const ends = workers.map((worker) => once(worker, 'exit'));
    for (const worker of workers) worker.process.kill(signal);
    const kill = () => workers.forEach((worker) => worker.process.kill('SIGKILL'));
    const timer = setTimeout(kill, STOP_LIMIT_MS);
    const codes = (await Promise.all(ends)).map(([code]) => code);
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
