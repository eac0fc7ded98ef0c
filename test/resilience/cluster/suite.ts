import { checkCalls, checkKeptEnds, type Call } from '../harness/call-invariants';
import { checkCampaigns } from '../harness/campaign-invariants';
import { checkCredits } from '../harness/credit-invariants';
import { checkIncoming, checkTranscripts } from '../harness/incoming-invariants';
import { IncomingLoad } from '../harness/incoming-load';
import { Load } from '../harness/load';
import { PhoneNumbers } from '../harness/numbers';
import { checkQueues } from '../harness/queue-invariants';
import { type Upload, upload } from '../harness/recipients';
import { expireKeyLeases, settle } from '../harness/settling';
import type { AgentClient, Start } from '../harness/start';
import { explain, type Violation } from '../harness/violation';
import { checkWebhooks } from '../harness/webhook-invariants';
import { until } from '../../support/until';
import type { Served } from '../../support/balancer';
import { type Service, SERVICES } from './bounds';
import { type Cluster, SERVERS } from './cluster';
import { FAULTS, type Fault, type Serve } from './faults';
import type { Gaps, Injected, Report } from './report';

const WEBHOOK_PATH = '/calls';
/** The number of recipients of the campaign that begins before each fault. */
const RECIPIENTS = 20;
/** The settings of servers by default, and a load that leaves two processors time for all parts. */
const INCOMING = { publishTimeoutMs: 5_000, everyMs: 500 };
/** The number of calls that each server accepts before a fault counts as survived. */
const ACCEPTED = 5;
const RECOVERY_TIMEOUT_MS = 90_000;
const MAX_EXPLAINED = 5;
/** Requests to a part that does not answer do not stop the load. */
const MAX_OPEN = 200;

const CALLS = `
  SELECT id, to_number, status, disconnect_reason, campaign_id, worker_id FROM conversations
  WHERE to_number >= $1 AND incoming_claim_id IS NULL`;

const CREATED = `
  SELECT created_at FROM conversations WHERE id = $1 OR to_number = $2 ORDER BY created_at LIMIT 1`;

/** A fault, and the time until everything served again. */
interface Window {
  fault: string;
  to: number;
  /** It was measured before requests are repeated. */
  measured: Omit<Injected, 'violations'>;
  violations: Violation[];
}

/** The work that a lap has begun. */
interface Lap {
  windows: Window[];
  firstNumber: string;
  firstWebhook: number;
  load: Load;
  incoming: IncomingLoad;
  uploads: Upload[];
}

/** The longest time between two of these times, in seconds. */
function findLongestGap(times: number[], from: number, to: number): number {
  const within = [from, ...times.filter((at) => at > from && at < to), to];
  return Math.max(...within.map((at, index) => at - (within[index - 1] ?? at))) / 1_000;
}

/** The longest times in which these servers have served nothing. */
function findGaps(served: Served[], servers: string[], from: number, to: number): Gaps {
  const find = (names: string[]) =>
    findLongestGap(
      served.filter(({ server }) => names.includes(server)).map(({ at }) => at),
      from,
      to,
    );
  return { together: find(servers), atOne: Math.max(...servers.map((server) => find([server]))) };
}

const describeGap = (kind: Service, { together, atOne }: Gaps) =>
  `${together.toFixed(1)} s without ${SERVICES[kind].name} (${atOne.toFixed(1)} s at one server)`;

/** Says how many of these requests had which answer, such as `59 not accepted (59 × 503 DATABASE_UNAVAILABLE)`. */
function describeRefusals(failed: Start[]): string {
  const counts = new Map<string, number>();
  for (const { refusal } of failed) counts.set(refusal, (counts.get(refusal) ?? 0) + 1);
  const shown = [...counts].map(([refusal, count]) => `${count} × ${refusal}`);
  return `${failed.length} not accepted${shown.length > 0 ? ` (${shown.join(', ')})` : ''}`;
}

const findFailed = (starts: Start[]) => starts.filter(({ outcome }) => outcome !== 'answered');

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
    const from = Date.now();
    const lap: Lap = {
      firstNumber: this.numbers.next(),
      firstWebhook: cluster.receiver.received.length,
      windows: [],
      load: new Load(cluster.agents, this.numbers, cluster.receiver.url(WEBHOOK_PATH), MAX_OPEN),
      incoming: new IncomingLoad(cluster, this.numbers, INCOMING),
      uploads: [],
    };
    const { load, incoming } = lap;
    load.begin();
    incoming.begin();
    try {
      await this.serve();
      for (const name of names) await this.inject(name, lap);
    } finally {
      await Promise.all([load.stop(), incoming.stop()]);
    }
    const failed = findFailed(load.starts).length;
    const unclear = this.checkFailures(load.starts);
    await expireKeyLeases(cluster);
    await load.repeatRequests();
    await settle(cluster);
    const found = [...unclear, ...(await this.check(lap))];
    const rest: Violation[] = [];
    for (const violation of found) {
      const window = await this.findWindow(violation, lap.windows);
      (window?.violations ?? rest).push(violation);
    }
    for (const { fault, measured, violations } of lap.windows)
      this.report.add(fault, { ...measured, violations: violations.length });
    this.report.addLap({
      seconds: (Date.now() - from) / 1_000,
      calls: load.starts.length,
      failed,
      violations: rest.length,
      deadlocks: cluster.postgres.countDeadlocks(),
    });
    const named = lap.windows.flatMap(({ fault, violations }) =>
      violations.map((violation) => ({ ...violation, message: `${fault}: ${violation.message}` })),
    );
    for (const violation of [...named, ...rest].slice(0, MAX_EXPLAINED))
      console.log(await explain(cluster, violation));
    if (named.length + rest.length > 0) console.log(cluster.readLogs());
  }

  private async inject(name: string, { load, uploads, windows }: Lap): Promise<void> {
    uploads.push(await this.upload());
    const fault = FAULTS[name] as Fault;
    const from = Date.now();
    const firstUnanswered = this.cluster.balancer.unanswered.length;
    const broken = new Set<string>();
    const violations: Violation[] = [];
    try {
      await fault.inject(this.cluster, (part = '') => {
        broken.add(part);
        return this.serve(part);
      });
      await this.serve();
    } catch (error) {
      violations.push({ message: (error as Error).stack ?? String(error) });
    }
    violations.push(...(await this.replaceEndedServers()));
    const to = Date.now();
    // Otherwise the next fault would hit requests that belong to this one.
    await load.settled();
    const { unanswered } = this.cluster.balancer;
    for (const server of new Set(unanswered.slice(firstUnanswered).filter((each) => !broken.has(each)))) {
      violations.push({ message: `${server}, which was not broken, left requests without an answer` });
    }
    const failed = findFailed(load.starts.filter(({ at }) => at >= from && at < to));
    if (fault.isPlanned && failed.length > 0) {
      violations.push({ message: `${failed.length} requests failed`, start: failed[0] });
    }
    // Requests that began after the fault before this one count for this one.
    const since = windows.at(-1)?.to ?? 0;
    const starts = load.starts.filter(({ at }) => at >= since && at < to);
    const measured = this.measure(starts, from, to);
    windows.push({ fault: name, to, measured, violations });
    const { calls, seconds, gaps } = measured;
    const shown = Object.entries(gaps).map(([kind, gap]) => describeGap(kind as Service, gap));
    console.log(
      `${name}: ${calls} calls in ${seconds.toFixed(1)} s, ${describeRefusals(findFailed(starts))}, ${shown.join(', ')}`,
    );
  }

  /** The fault during or before which the call of a violation was accepted; undefined: it belongs to no call. */
  private async findWindow(
    { start, conversationId, number }: Violation,
    windows: Window[],
  ): Promise<Window | undefined> {
    const [created] = start
      ? [{ created_at: new Date(start.at) }]
      : await this.cluster.rows<{ created_at: Date }>(CREATED, [conversationId ?? null, number ?? null]);
    const at = created?.created_at.getTime();
    if (at === undefined) return undefined;
    return windows.find(({ to }) => at < to) ?? windows.at(-1);
  }

  private measure(starts: Start[], from: number, to: number): Window['measured'] {
    const { balancer, background } = this.cluster;
    return {
      seconds: (to - from) / 1_000,
      calls: starts.length,
      failed: findFailed(starts).length,
      gaps: {
        accepted: findGaps(balancer.accepted, SERVERS.http, from, to),
        claims: findGaps(background.claims, SERVERS.background, from, to),
        ends: findGaps(background.ends, SERVERS.background, from, to),
      },
    };
  }

  /** No fault makes a server end by itself. One that did is started again, as by a supervisor. */
  private async replaceEndedServers(): Promise<Violation[]> {
    const ended = [...this.cluster.servers].filter(([, { isRunning }]) => !isRunning);
    for (const [server] of ended) await this.cluster.startServer(server);
    return ended.map(([server, { output }]) => ({
      message: `${server} has ended:\n${output.slice(-5_000)}`,
    }));
  }

  /** Waits until each server that is not broken has accepted calls, or has granted claims and stored ends of calls. */
  private serve: Serve = async (broken) => {
    const { balancer, background } = this.cluster;
    const from = balancer.accepted.length;
    const since = Date.now();
    const isServing = async (name: string) => {
      if (SERVERS.background.includes(name))
        return background.isServing(name, since) && (await this.cluster.isReady(name));
      return balancer.accepted.slice(from).filter(({ server }) => server === name).length >= ACCEPTED;
    };
    const names = [...SERVERS.http, ...SERVERS.background].filter((name) => name !== broken);
    await Promise.all(
      names.map((name) =>
        until(() => isServing(name), RECOVERY_TIMEOUT_MS).catch(() => {
          throw new Error(`${name} has not come back within ${RECOVERY_TIMEOUT_MS / 1_000} s.`);
        }),
      ),
    );
  };

  /** A failed request says when to send it again, or whether its call may still be placed. */
  private checkFailures(starts: Start[]): Violation[] {
    const message = 'A failed request says neither when to send it again nor whether its call may be placed';
    return starts.filter(({ isUnclear }) => isUnclear).map((start) => ({ message, start }));
  }

  private upload(): Promise<Upload> {
    const { api, agentId } = this.cluster.agents[0] as AgentClient;
    const numbers = this.numbers.nextMany(RECIPIENTS);
    return upload(api, agentId, `Campaign ${numbers[0]}`, numbers, { due: true });
  }

  private async check({ firstNumber, firstWebhook, load, incoming, uploads }: Lap): Promise<Violation[]> {
    const { cluster } = this;
    const calls = await cluster.rows<Call>(CALLS, [firstNumber]);
    const sinceFirst = ({ number }: { number: string }) => number >= firstNumber;
    const webhooks = cluster.receiver.received.slice(firstWebhook);
    const verified = await cluster.verify();
    return [
      ...checkCalls(calls, load.starts, cluster.dialLog.read().filter(sinceFirst), cluster.workerIds),
      ...checkKeptEnds(calls, cluster.endLog.read().filter(sinceFirst)),
      ...(await checkCredits(cluster, firstNumber)),
      ...(await checkIncoming(cluster, incoming.received)),
      ...(await checkTranscripts(cluster, firstNumber)),
      ...(await checkCampaigns(cluster, uploads)),
      ...(await checkWebhooks(cluster, firstNumber, webhooks)),
      ...(await checkQueues(cluster)),
      ...verified.map((violation) => ({ message: `verify: ${JSON.stringify(violation)}` })),
    ];
  }
}
