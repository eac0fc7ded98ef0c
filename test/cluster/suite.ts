import { checkCalls, checkKeptEnds, type Call } from '../faults/call-invariants';
import { checkCredits } from '../faults/credit-invariants';
import { Load } from '../faults/load';
import { PhoneNumbers } from '../faults/numbers';
import { checkQueues } from '../faults/queue-invariants';
import { expireKeyLeases, settle } from '../faults/settling';
import type { Start } from '../faults/start';
import { explain, type Violation } from '../faults/violation';
import { checkWebhooks } from '../faults/webhook-invariants';
import { until } from '../support/until';
import { type Cluster, SERVERS } from './cluster';
import { FAULTS, type Fault } from './faults';
import type { Report } from './report';

const WEBHOOK_PATH = '/calls';
/** The number of calls that each server accepts before a fault counts as survived. */
const ACCEPTED = 5;
const RECOVERY_TIMEOUT_MS = 90_000;
const MAX_EXPLAINED = 5;

const CALLS = `
  SELECT id, to_number, status, disconnect_reason, campaign_id, worker_id FROM conversations WHERE to_number >= $1`;

/** The longest time between two accepted calls, in seconds. */
function findLongestGap(times: number[], from: number, to: number): number {
  const within = [from, ...times.filter((at) => at > from && at < to), to];
  return Math.max(...within.map((at, index) => at - (within[index - 1] ?? at))) / 1_000;
}

/** Injects faults into a cluster under load. The load goes on from the first fault of a lap to the last. */
export class ClusterSuite {
  private readonly numbers = new PhoneNumbers();

  constructor(
    private readonly cluster: Cluster,
    private readonly report: Report,
  ) {}

  /** Injects these faults one after the other, and checks everything after the last. */
  async lap(names: string[]): Promise<void> {
    const { cluster } = this;
    const firstNumber = this.numbers.next();
    const firstWebhook = cluster.receiver.received.length;
    const load = new Load(cluster.agents, this.numbers, cluster.receiver.url(WEBHOOK_PATH));
    load.begin();
    const violations: Violation[] = [];
    try {
      await this.serve();
      for (const name of names) violations.push(...(await this.inject(name, load)));
    } finally {
      await load.stop();
    }
    await expireKeyLeases(cluster);
    await load.repeatRequests();
    await settle(cluster);
    violations.push(...(await this.check(load.starts, firstNumber, firstWebhook)));
    this.report.addLap(load.starts.length, violations.length, cluster.postgres.countDeadlocks());
    for (const violation of violations.slice(0, MAX_EXPLAINED))
      console.log(await explain(cluster, violation));
    if (violations.length > 0) console.log(cluster.readLogs());
  }

  private async inject(name: string, load: Load): Promise<Violation[]> {
    const fault = FAULTS[name] as Fault;
    const from = Date.now();
    const firstStart = load.starts.length;
    const violations: Violation[] = [];
    try {
      await fault.inject(this.cluster, () => this.serve());
      await this.serve();
    } catch (error) {
      violations.push({ message: `${name}: ${(error as Error).stack}` });
    }
    const to = Date.now();
    const { accepted } = this.cluster.balancer;
    const getTimes = (server: string) =>
      accepted.filter((each) => each.server === server).map(({ at }) => at);
    const starts = load.starts.slice(firstStart);
    const failed = starts.filter(({ outcome }) => outcome !== 'answered');
    if (fault.isPlanned && failed.length > 0) {
      violations.push({ message: `${name}: ${failed.length} requests failed`, start: failed[0] });
    }
    const all = accepted.map(({ at }) => at);
    const gap = findLongestGap(all, from, to);
    const gapOfServer = Math.max(...SERVERS.http.map((server) => findLongestGap(getTimes(server), from, to)));
    const counts = { calls: starts.length, failed: failed.length, violations: violations.length };
    this.report.add(name, { ...counts, gap, gapOfServer });
    console.log(
      `${name}: ${starts.length} calls in ${((to - from) / 1_000).toFixed(1)} s, ${failed.length} not accepted, ` +
        `${gap.toFixed(1)} s without one, ${gapOfServer.toFixed(1)} s at one server`,
    );
    return violations;
  }

  /** Waits until each server that is ready has accepted calls. */
  private async serve(): Promise<void> {
    const { balancer, servers } = this.cluster;
    const from = balancer.accepted.length;
    const isServing = () => {
      const since = balancer.accepted.slice(from);
      const ready = [...servers.keys()].filter((name) => balancer.isReady(name));
      return (
        ready.length > 0 &&
        ready.every((name) => since.filter(({ server }) => server === name).length >= ACCEPTED)
      );
    };
    await until(isServing, RECOVERY_TIMEOUT_MS);
  }

  private async check(starts: Start[], firstNumber: string, firstWebhook: number): Promise<Violation[]> {
    const { cluster } = this;
    const calls = await cluster.rows<Call>(CALLS, [firstNumber]);
    const sinceFirst = ({ number }: { number: string }) => number >= firstNumber;
    const webhooks = cluster.receiver.received.slice(firstWebhook);
    const verified = await cluster.verify();
    return [
      ...checkCalls(calls, starts, cluster.dialLog.read().filter(sinceFirst), cluster.workerIds),
      ...checkKeptEnds(calls, cluster.endLog.read().filter(sinceFirst)),
      ...(await checkCredits(cluster, firstNumber)),
      ...(await checkWebhooks(cluster, firstNumber, webhooks)),
      ...(await checkQueues(cluster)),
      ...verified.map((violation) => ({ message: `verify: ${JSON.stringify(violation)}` })),
    ];
  }
}
