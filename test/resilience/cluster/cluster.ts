import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Pool } from 'pg';
import { freePorts } from '../../../launch/process/free-ports.cjs';
import type { RabbitmqNode } from '../../run/rabbitmq-node.cjs';
import { topologyNames } from '../../../src/platform/messaging/topology';
import { DialLog } from '../harness/dial-log';
import { IS_BUSY, OPTS_OUT } from '../harness/numbers';
import type { AgentClient } from '../harness/start';
import { Child } from '../../support/child';
import { type Answer, ApiClient } from '../../support/client';
import { createDatabase } from '../../support/database';
import type { LastRelease } from '../../support/last-release';
import { OperatorProcess } from '../../support/operator-process';
import { ServerProcess } from '../../support/server-process';
import { until } from '../../support/until';
import { WebhookReceiver } from '../../support/webhook-receiver';
import { createTemplate, type Workspace } from '../../support/workspaces';
import { BackgroundWatch } from './background-watch';
import { Balancer } from '../../support/balancer';
import { Network } from './network';
import { PostgresPair } from './postgres-pair';
import { RabbitmqCluster } from './rabbitmq-cluster';

export const RABBITMQ = ['rabbitmq-1', 'rabbitmq-2', 'rabbitmq-3'];
const POSTGRES = ['postgres-1', 'postgres-2'] as const;
export const SERVERS = { http: ['http-1', 'http-2'], background: ['background-1', 'background-2'] };
export const WORKERS = ['worker-1', 'worker-2', 'worker-3'];

const WORKSPACES = 3;
const READY_TIMEOUT_MS = 60_000;

const JWT_SECRET = 'a secret of thirty-two bytes or more';

/** Everything twice or three times, with a proxy between each two parts. */
export class Cluster {
  readonly servers = new Map<string, ServerProcess>();
  readonly workers = new Map<string, Child>();
  readonly background = new BackgroundWatch();
  readonly agents: AgentClient[] = [];
  /** The phone numbers of these agents, which are greater than every number that is dialled. */
  readonly agentNumbers: string[] = [];
  /** The nodes, as the runtime of the incoming calls reaches them. */
  brokerUrls: string[] = [];
  readonly dialLog: DialLog;
  readonly endLog: DialLog;
  readonly topology: ReturnType<typeof topologyNames>;
  /** The addresses of the services, as each part reaches them. */
  private readonly addresses = new Map<string, { DATABASE_URL: string; RABBITMQ_URL: string }>();
  /** The addresses of the probes of the servers that get no requests. */
  private readonly probes = new Map<string, string>();
  private sql: Pool;

  private constructor(
    private readonly folder: string,
    readonly network: Network,
    readonly rabbitmq: RabbitmqCluster,
    readonly postgres: PostgresPair,
    readonly balancer: Balancer,
    readonly receiver: WebhookReceiver,
    private readonly database: string,
    private readonly prefix: string,
    readonly older: LastRelease | undefined,
  ) {
    this.topology = topologyNames(prefix);
    this.dialLog = new DialLog(join(folder, 'dialled'));
    this.endLog = new DialLog(join(folder, 'ended'));
    this.connect();
  }

  /** @param older the last release; undefined: there is none */
  static async start(folder: string, older?: LastRelease): Promise<Cluster> {
    const network = new Network();
    const [rabbitmq, postgres] = await Promise.all([
      RabbitmqCluster.start(folder, network, RABBITMQ),
      PostgresPair.start(folder, network, POSTGRES),
    ]);
    process.env.TEST_DATABASE_URL = postgres.url;
    const workspaces = await createTemplate(WORKSPACES);
    const { pathname } = new URL((await createDatabase()).url);
    const [balancer, receiver] = await Promise.all([Balancer.start(), WebhookReceiver.start()]);
    const prefix = `cluster-${randomBytes(4).toString('hex')}`;
    const cluster = new Cluster(
      folder,
      network,
      rabbitmq,
      postgres,
      balancer,
      receiver,
      pathname,
      prefix,
      older,
    );
    // The first server declares the queues.
    await cluster.startServer('http-1');
    const names = [...SERVERS.http, ...SERVERS.background].filter((name) => name !== 'http-1');
    await Promise.all([...names.map((name) => cluster.startServer(name)), cluster.startWorkers(WORKERS)]);
    for (const workspace of workspaces) await cluster.addAgent(workspace);
    cluster.brokerUrls = (await cluster.readSettings('incoming')).RABBITMQ_URL?.split(',') ?? [];
    return cluster;
  }

  /** Reads the primary. */
  rows = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await this.sql.query<Row>(text, values)).rows;

  /** A node that is running. */
  get brokerUrl(): string {
    return (this.rabbitmq.nodes[0] as RabbitmqNode).url;
  }

  get workersQueue(): string {
    return this.topology.callsQueue;
  }

  /** The worker ids of the runtimes that are running. */
  get workerIds(): string[] {
    return [...this.workers.values()].map(({ pid }) => `runtime ${pid}`);
  }

  rabbitmqNode = (name: string) => this.rabbitmq.nodes[RABBITMQ.indexOf(name)] as RabbitmqNode;

  server = (name: string) => this.servers.get(name) as ServerProcess;

  /** Whether the server answers that it is ready. */
  async isReady(name: string): Promise<boolean> {
    const probe = this.probes.get(name);
    if (!probe) return this.balancer.isReady(name);
    const signal = AbortSignal.timeout(READY_TIMEOUT_MS);
    const answer = await fetch(new URL('/health/ready', probe), { signal }).catch(() => undefined);
    await answer?.body?.cancel();
    return answer?.ok ?? false;
  }

  worker = (name: string) => this.workers.get(name) as Child;

  /**
   * Starts a server, or starts it again. Resolves when it is ready.
   * @param release default: today's
   */
  async startServer(name: string, release?: LastRelease): Promise<void> {
    const role = name.split('-')[0] as string;
    const settings = await this.readSettings(name);
    const [port = 0] = await freePorts(1);
    const server = await ServerProcess.start({
      ...settings,
      ROLES: role,
      JWT_SECRET,
      LOG_LEVEL: 'warn',
      DEMO_WORKSPACE: 'false',
      CALL_TTL_SECONDS: '600',
      JOB_LEASE_SECONDS: '5',
      CAMPAIGN_INTERVAL_MS: '500',
      ALLOW_PRIVATE_ADDRESSES: 'true',
      VERIFY_MINUTES: '0',
      // As by default: the other suites do not drain.
      DRAIN_SECONDS: '5',
      PARLEY_DATA: join(this.folder, 'data'),
      ...(role === 'background' && { MONITORING_PORT: `${port}` }),
      ...release?.settings,
    });
    this.servers.set(name, server);
    if (role === 'http') this.balancer.add(name, server.url);
    else {
      const probe = `http://127.0.0.1:${port}`;
      this.probes.set(name, probe);
      this.background.add(name, probe);
    }
    await until(() => this.isReady(name), READY_TIMEOUT_MS);
  }

  /** Stops a server with SIGTERM. It takes itself out of the balancer. */
  async stopServer(name: string): Promise<void> {
    const code = await this.server(name).stop();
    if (code !== 0) throw new Error(`${name} ended with ${code}:\n${this.server(name).output}`);
  }

  async startWorkers(names: string[]): Promise<void> {
    await Promise.all(
      names.map(async (name) => {
        const worker = new Child(join(__dirname, '..', 'harness', 'worker.process.ts'), {
          ...(await this.readSettings(name)),
          PARLEY_QUEUE: this.workersQueue,
          DIAL_LOG: this.dialLog.path,
          END_LOG: this.endLog.path,
          OUTBOX: join(this.folder, `outbox of ${name}`),
          IS_BUSY: IS_BUSY.source,
          OPTS_OUT: OPTS_OUT.source,
        });
        this.workers.set(name, worker);
        await worker.message();
      }),
    );
  }

  /** The standby becomes the primary. The old primary has ended, or is cut off. */
  async promote(): Promise<void> {
    await this.postgres.promote();
    // A frozen primary does not end its connections before it is killed.
    void this.sql.end();
    this.connect();
  }

  /** Runs `operator -- verify`. @returns its violations */
  async verify(): Promise<object[]> {
    const operator = new OperatorProcess({ DATABASE_URL: this.databaseUrl, JWT_SECRET });
    const { stdout, stderr } = await operator.run(['verify', '--json']);
    await operator.finish();
    try {
      return (JSON.parse(stdout) as { violations: object[] }).violations;
    } catch {
      throw new Error(`verify printed ${stdout} and ${stderr}`);
    }
  }

  /** The ends of the output of all servers. */
  readLogs(): string {
    const logs = [...this.servers].map(([name, { output }]) => `--- ${name}\n${output.slice(-2_000)}`);
    return logs.join('\n');
  }

  async stop(): Promise<void> {
    this.background.stop();
    await Promise.all([...this.servers.values(), ...this.workers.values()].map((each) => each.kill()));
    await this.sql.end();
    await Promise.all([this.balancer.stop(), this.receiver.stop(), this.network.stop()]);
    await Promise.all([this.rabbitmq.stop(), this.postgres.stop()]);
  }

  private get databaseUrl(): string {
    return new URL(this.database, this.postgres.url).href;
  }

  private connect(): void {
    this.sql = new Pool({ connectionString: this.databaseUrl, max: 2, application_name: 'cluster' });
    this.sql.on('error', () => undefined);
  }

  private async addAgent({ workspaceId, apiKey }: Workspace): Promise<void> {
    const api = new ApiClient(this.balancer.url, { 'x-api-key': apiKey });
    // On a busy machine, a server may not be ready for a moment.
    const succeed = (send: () => Promise<Answer>) =>
      until(async () => {
        const answer = await send().catch(() => undefined);
        return answer && answer.status < 300 && answer;
      }, READY_TIMEOUT_MS);
    const { body } = await succeed(() => api.post('/api/agents', { type: 'outbound' }));
    const agent = { api, workspaceId, agentId: body.data._id as string };
    const phone_number = `+1999000000${this.agents.length}`;
    await succeed(() => api.put(`/api/agents/${agent.agentId}/phone-number`, { phone_number }));
    this.agents.push(agent);
    this.agentNumbers.push(phone_number);
  }

  /** Each part has links of its own, which stay when its process is replaced. */
  private async readSettings(name: string): Promise<Record<string, string>> {
    let addresses = this.addresses.get(name);
    if (!addresses) {
      const brokers = RABBITMQ.map((node) => this.network.link(name, node, this.rabbitmqNode(node).url));
      const hosts = this.postgres.members.map((member) =>
        this.network.link(name, member.name, member.server.url),
      );
      const [one, two] = (await Promise.all(hosts)).map((url) => new URL(url)) as [URL, URL];
      addresses = {
        DATABASE_URL: new URL(this.database, one).href.replace(one.host, `${one.host},${two.host}`),
        RABBITMQ_URL: (await Promise.all(brokers)).join(),
      };
      this.addresses.set(name, addresses);
    }
    return { ...addresses, BROKER_PREFIX: this.prefix };
  }
}
