import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { freePorts } from '../../../launch/process/free-ports.cjs';
import { type Topology, topologyNames } from '../../../src/platform/messaging/topology';
import { Child } from '../../support/child';
import { ApiClient } from '../../support/client';
import { createDatabase, type TestDatabase } from '../../support/database';
import { findPython, PYTHON_PACKAGE } from '../../support/python-processes';
import { TcpProxy } from '../../support/tcp-proxy';
import { WebhookReceiver } from '../../support/webhook-receiver';
import { CallRelay } from './call-relay';
import { DialLog } from '../harness/dial-log';
import { ASKS_FOR_TOOLS, IS_BUSY, OPTS_OUT } from '../harness/numbers';
import { type KillPoint, DROPPED_CONFIRM } from './orders';
import { createTools } from '../harness/shop';
import { ToldLog } from './told-log';
import type { Services } from './services';
import type { AgentClient } from '../harness/start';
import type { Workspace } from '../../support/workspaces';

/**
 * Two thirds of it are how long workers have for a repeated claim once the server hears from them again, also on a machine
 * that starts ten programs at that moment.
 */
export const LEASE_SECONDS = 12;

/** The intervals are short, so that a round takes seconds. */
const SETTINGS = {
  HOST: '127.0.0.1',
  ROLES: 'http,background',
  JWT_SECRET: 'a secret of thirty-two bytes or more',
  LOG_LEVEL: 'warn',
  PUBLISH_TIMEOUT_MS: '300',
  // The time is longer than a round, so that a lost call is not mistaken for one that expired without a runtime.
  CALL_TTL_SECONDS: '600',
  LEASE_SECONDS: `${LEASE_SECONDS}`,
  JOB_LEASE_SECONDS: '1',
  SWEEP_INTERVAL_MS: '100',
  CAMPAIGN_INTERVAL_MS: '100',
  ALLOW_PRIVATE_ADDRESSES: 'true',
};

/** The path of the receiver to which the webhooks of the calls are sent. */
export const WEBHOOK_PATH = '/calls';

const AGENTS_PER_WORKSPACE = 2;

const KILL_TIMEOUT_MS = 30_000;

const python = findPython();

/** A Parley under test: a database, queues, a server and its workers, which are separate processes. */
export class Installation {
  readonly topology: Topology;
  readonly dialLog: DialLog;
  /** The calls whose end a worker has kept to report it. */
  readonly endLog: DialLog;
  /** The ends of invocations of tools, as the workers were told them. */
  readonly toldLog: ToldLog;
  /** Reads and changes the database directly. */
  readonly sql: Pool;
  /** The agents whose calls are the load. */
  readonly agents: AgentClient[] = [];
  /** The phone numbers of these agents, which are greater than every number that is dialled. */
  readonly agentNumbers: string[] = [];
  /** An agent in a workspace without load. */
  idleAgent: AgentClient;
  private readonly settings: Record<string, string>;
  private readonly folder: string;
  private url = '';
  /** The end of the output of the previous server. */
  private previousLog = '';
  private server: Child;
  /** A server that has loaded all modules, so that it can replace a killed server at once. */
  private standby: Child;
  private readonly runtimes: Child[] = [];
  private relay: CallRelay;

  static async start(services: Services, workspaces: Workspace[], mutation = ''): Promise<Installation> {
    const database = await createDatabase();
    const proxy = await TcpProxy.to(database.url);
    const brokerProxy = await TcpProxy.to(services.rabbitmq.url);
    const receiver = await WebhookReceiver.start();
    const proxies = { proxy, brokerProxy };
    // The servers that replace it must have the same address, which the credentials of calls contain.
    const [port] = await freePorts(1);
    const set = { PORT: `${port}`, MUTATION: mutation };
    const installation = new Installation(services, database, proxies, receiver, workspaces, set);
    await installation.setUp();
    return installation;
  }

  private constructor(
    readonly services: Services,
    private readonly database: TestDatabase,
    private readonly proxies: { proxy: TcpProxy; brokerProxy: TcpProxy },
    /** Receives the webhooks of the calls. */
    readonly receiver: WebhookReceiver,
    readonly workspaces: Workspace[],
    set: Record<string, string>,
  ) {
    const prefix = `faults-${randomBytes(4).toString('hex')}`;
    this.folder = mkdtempSync(join(tmpdir(), 'parley-faults-'));
    this.topology = topologyNames(prefix);
    this.dialLog = new DialLog(join(this.folder, 'dialled'));
    this.endLog = new DialLog(join(this.folder, 'ended'));
    this.toldLog = new ToldLog(join(this.folder, 'told'));
    this.sql = new Pool({ connectionString: database.url, max: 2, application_name: 'faults' });
    // Some faults kill Postgres, and an error event without a listener would end the suite.
    this.sql.on('error', () => undefined);
    this.settings = {
      ...SETTINGS,
      ...set,
      DATABASE_URL: this.proxy.url,
      RABBITMQ_URL: services.rabbitmq.url,
      BROKER_PREFIX: prefix,
      PARLEY_DATA: this.folder,
    };
  }

  async rows<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.sql.query<Row>(text, values)).rows;
  }

  async killServer(): Promise<void> {
    await this.server.kill();
    await this.replaceServer();
  }

  /** Makes the server kill itself when it reaches this point for the n-th time; resolves when it has ended. */
  async killServerAt(killAt: KillPoint, occurrence: number): Promise<void> {
    const { server } = this;
    server.send({ killAt, occurrence });
    const timeout = setTimeout(() => void server.kill(), KILL_TIMEOUT_MS);
    await server.ended;
    clearTimeout(timeout);
    if (!server.output.includes(`Killed at ${killAt}`)) {
      throw new Error(`The server did not reach ${killAt} ${occurrence} times:\n${server.output}`);
    }
  }

  /** Replaces the killed server by the standby. */
  async replaceServer(): Promise<void> {
    this.previousLog = this.server.output;
    this.server = this.standby;
    await this.startServer();
    this.standby = this.spawnServer();
  }

  async killRuntimes(): Promise<void> {
    await Promise.all(this.runtimes.splice(0).map((runtime) => runtime.kill()));
  }

  /** Kills the runtimes, and starts others. */
  async restartRuntimes(): Promise<void> {
    await this.killRuntimes();
    await this.startRuntimes();
  }

  /** The worker ids of the runtimes that are running. */
  get workerIds(): string[] {
    return this.runtimes.map(({ pid }) => `runtime ${pid}`);
  }

  get brokerUrl(): string {
    return this.services.rabbitmq.url;
  }

  get brokerUrls(): string[] {
    return [this.brokerUrl];
  }

  /** The queue from which the runtimes take calls. */
  get workersQueue(): string {
    return this.relay.queue;
  }

  /**
   * Lets a handler of each runtime compute for this time, which blocks the event loop of a runtime in JavaScript.
   */
  async blockRuntimes(milliseconds: number): Promise<void> {
    await Promise.all(
      this.runtimes.map(async (runtime) => {
        runtime.send({ blockMs: milliseconds });
        await runtime.message();
        await runtime.message();
      }),
    );
  }

  /** The proxy between the server and Postgres. */
  get proxy(): TcpProxy {
    return this.proxies.proxy;
  }

  /** The proxy between the runtimes and RabbitMQ. */
  get brokerProxy(): TcpProxy {
    return this.proxies.brokerProxy;
  }

  dropConfirms(dropConfirms: boolean): void {
    this.server.send({ dropConfirms });
  }

  /** The number of confirms that did not reach the running server. */
  get droppedConfirms(): number {
    return this.server.messages.filter((message) => message === DROPPED_CONFIRM).length;
  }

  /** The end of the output of the server and of the previous one. */
  logTail(): string {
    return (this.previousLog + this.server.output).slice(-4_000);
  }

  async killAll(): Promise<void> {
    await Promise.all([this.server.kill(), this.standby.kill(), this.killRuntimes(), this.relay.stop()]);
  }

  async stop(): Promise<void> {
    await this.killAll();
    await this.receiver.stop();
    await Promise.all([this.proxy.cut(), this.brokerProxy.cut()]);
    await this.sql.end();
    await this.database.drop();
  }

  private async setUp(): Promise<void> {
    this.server = this.spawnServer();
    await this.startServer();
    this.relay = await CallRelay.start(this.services, this.topology);
    await this.startRuntimes();
    this.standby = this.spawnServer();
    const [idle, ...busy] = this.workspaces as [Workspace, ...Workspace[]];
    this.idleAgent = await this.createAgent(idle);
    for (const workspace of busy) {
      const api = this.createClient(workspace);
      const actions = await createTools(api, (path) => this.receiver.url(path));
      for (let agent = 1; agent <= AGENTS_PER_WORKSPACE; agent += 1) await this.addAgent(workspace, actions);
    }
  }

  private async addAgent(workspace: Workspace, actions: string[]): Promise<void> {
    const agent = await this.createAgent(workspace, actions);
    const phone_number = `+1999000000${this.agents.length}`;
    await agent.api.put(`/api/agents/${agent.agentId}/phone-number`, { phone_number });
    this.agents.push(agent);
    this.agentNumbers.push(phone_number);
  }

  private async createAgent(workspace: Workspace, actions: string[] = []): Promise<AgentClient> {
    const api = this.createClient(workspace);
    const { body } = await api.post('/api/agents', { type: 'outbound', actions });
    return { api, workspaceId: workspace.workspaceId, agentId: body.data._id };
  }

  private createClient({ apiKey }: Workspace): ApiClient {
    return new ApiClient(this.url, { 'x-api-key': apiKey });
  }

  private spawnServer(): Child {
    return new Child(join(__dirname, 'server.process.ts'), this.settings);
  }

  private async startServer(): Promise<void> {
    this.server.send('start');
    ({ url: this.url } = (await this.server.message()) as { url: string });
  }

  /** Starts one worker of each package. Python is left out if it is not installed. */
  async startRuntimes(): Promise<void> {
    const settings = {
      ...this.settings,
      RABBITMQ_URL: this.brokerProxy.url,
      PARLEY_QUEUE: this.relay.queue,
      DIAL_LOG: this.dialLog.path,
      END_LOG: this.endLog.path,
      TOLD_LOG: this.toldLog.path,
      IS_BUSY: IS_BUSY.source,
      OPTS_OUT: OPTS_OUT.source,
      ASKS_FOR_TOOLS: ASKS_FOR_TOOLS.source,
      PYTHONPATH: PYTHON_PACKAGE,
      PYTHONDONTWRITEBYTECODE: '1',
    };
    const start = (program: string, command?: string[]) => {
      const outbox = join(this.folder, `outbox of ${program}`);
      this.runtimes.push(
        new Child(join(__dirname, '..', 'harness', program), { ...settings, OUTBOX: outbox }, command),
      );
    };
    start('worker.process.ts');
    if (python) start('worker_process.py', [python]);
    await Promise.all(this.runtimes.map((runtime) => runtime.message()));
  }
}
