import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { type Topology, topologyNames } from '../../src/messaging/topology';
import { Child } from '../support/child';
import { ApiClient } from '../support/client';
import { createDatabase, type TestDatabase } from '../support/database';
import { TcpProxy } from '../support/tcp-proxy';
import { WebhookReceiver } from '../support/webhook-receiver';
import { DialLog } from './dial-log';
import { type KillPoint, LOST_CONFIRM } from './orders';
import type { Services } from './services';
import type { Line } from './start';
import type { Workspace } from '../support/workspaces';

/** So short that a round takes seconds. */
const SETTINGS = {
  HOST: '127.0.0.1',
  ROLES: 'http,background',
  JWT_SECRET: 'a secret of thirty-two bytes or more',
  LOG_LEVEL: 'warn',
  PUBLISH_TIMEOUT_MS: '300',
  // Longer than a round, so that a call that was lost can't be taken for one that found no runtime in time.
  CALL_TTL_SECONDS: '600',
  // Longer than any fault keeps the answer to a claim, so that no runtime's call is given up before it hears of it.
  LEASE_SECONDS: '4',
  JOB_LEASE_SECONDS: '1',
  SWEEP_INTERVAL_MS: '100',
  CAMPAIGN_INTERVAL_MS: '100',
  ALLOW_PRIVATE_ADDRESSES: 'true',
};

/** Where the owners of calls are told of them. */
export const WEBHOOK_PATH = '/calls';

/** Of each workspace. */
const AGENTS = 2;

const KILL_TIMEOUT_MS = 30_000;

/** A Parley under test: a database, queues, a server and a runtime, each in a process of its own. */
export class Installation {
  readonly topology: Topology;
  readonly dialLog: DialLog;
  /** Looks and reaches into the database. */
  readonly sql: Pool;
  /** Where calls are started. */
  readonly lines: Line[] = [];
  /** In a workspace whose calls are none of the load's. */
  quietLine: Line;
  private readonly settings: Record<string, string>;
  private url = '';
  /** The end of what the server before this one has written. */
  private lastLog = '';
  private server: Child;
  /** Has everything loaded, so that it can take a killed one's place at once. */
  private spare: Child;
  private runtime: Child;

  static async start(services: Services, workspaces: Workspace[], mutation = ''): Promise<Installation> {
    const database = await createDatabase();
    const proxy = await TcpProxy.to(database.url);
    const receiver = await WebhookReceiver.start();
    const installation = new Installation(services, database, proxy, receiver, workspaces, mutation);
    await installation.begin();
    return installation;
  }

  private constructor(
    readonly services: Services,
    private readonly database: TestDatabase,
    /** Stands between the server and Postgres. */
    readonly proxy: TcpProxy,
    /** Of the owners of the calls. */
    readonly receiver: WebhookReceiver,
    readonly workspaces: Workspace[],
    mutation: string,
  ) {
    const prefix = `faults-${randomBytes(4).toString('hex')}`;
    const folder = mkdtempSync(join(tmpdir(), 'parley-faults-'));
    this.topology = topologyNames(prefix);
    this.dialLog = new DialLog(join(folder, 'dialled'));
    this.sql = new Pool({ connectionString: database.url, max: 2, application_name: 'faults' });
    // Postgres is killed now and then, and an error event that nobody hears would end the suite.
    this.sql.on('error', () => undefined);
    this.settings = {
      ...SETTINGS,
      PORT: '0',
      DATABASE_URL: proxy.url,
      RABBITMQ_URL: services.rabbitmq.url,
      BROKER_PREFIX: prefix,
      PARLEY_DATA: folder,
      DIAL_LOG: this.dialLog.path,
      MUTATION: mutation,
    };
  }

  async rows<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.sql.query<Row>(text, values)).rows;
  }

  async killServer(): Promise<void> {
    await this.server.kill();
    await this.replaceServer();
  }

  /** Has the server kill itself when it passes this point for this time; resolves when it is dead. */
  async killServerAt(killAt: KillPoint, passage: number): Promise<void> {
    const { server } = this;
    server.send({ killAt, passage });
    const timeout = setTimeout(() => void server.kill(), KILL_TIMEOUT_MS);
    await server.ended;
    clearTimeout(timeout);
    if (!server.output.includes(`Killed at ${killAt}`)) {
      throw new Error(`The server did not pass ${killAt} ${passage} times:\n${server.output}`);
    }
  }

  /** After it was killed. */
  async replaceServer(): Promise<void> {
    this.lastLog = this.server.output;
    this.server = this.spare;
    await this.serve();
    this.spare = this.loadServer();
  }

  killRuntime(): Promise<void> {
    return this.runtime.kill();
  }

  /** What the runtime that lives calls itself. */
  get workerId(): string {
    return `runtime ${this.runtime.pid}`;
  }

  loseConfirms(loseConfirms: boolean): void {
    this.server.send({ loseConfirms });
  }

  /** How many confirms the server that runs has not heard. */
  get lostConfirms(): number {
    return this.server.messages.filter((message) => message === LOST_CONFIRM).length;
  }

  /** The end of what the server has written, and the one before it. */
  logTail(): string {
    return (this.lastLog + this.server.output).slice(-4_000);
  }

  async killAll(): Promise<void> {
    await Promise.all([this.server.kill(), this.spare.kill(), this.runtime.kill()]);
  }

  async stop(): Promise<void> {
    await this.killAll();
    await this.receiver.stop();
    await this.proxy.cut();
    await this.sql.end();
    await this.database.drop();
  }

  private async begin(): Promise<void> {
    this.server = this.loadServer();
    await Promise.all([this.serve(), this.startRuntime()]);
    // Those that come after it are to be found at the same address.
    this.settings.PORT = new URL(this.url).port;
    this.spare = this.loadServer();
    const [quiet, ...busy] = this.workspaces as [Workspace, ...Workspace[]];
    this.quietLine = await this.createLine(quiet);
    for (const workspace of busy) {
      for (let agent = 1; agent <= AGENTS; agent += 1) this.lines.push(await this.createLine(workspace));
    }
  }

  private async createLine({ workspaceId, apiKey }: Workspace): Promise<Line> {
    const api = new ApiClient(this.url, { 'x-api-key': apiKey });
    const { body } = await api.post('/api/agents', { type: 'outbound' });
    return { api, workspaceId, agentId: body.data._id };
  }

  private loadServer(): Child {
    return new Child(join(__dirname, 'server.process.ts'), this.settings);
  }

  private async serve(): Promise<void> {
    this.server.send('start');
    ({ url: this.url } = (await this.server.message()) as { url: string });
  }

  async startRuntime(): Promise<void> {
    this.runtime = new Child(join(__dirname, 'runtime.process.ts'), this.settings);
    await this.runtime.message();
  }
}
