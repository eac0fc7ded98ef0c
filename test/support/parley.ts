import type { INestApplication } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import passport from 'passport';
import { Pool } from 'pg';
import { createApp } from '../../src/app/app';
import { ApiKeysService } from '../../src/accounts/auth/api-keys.service';
import { ApiKeyStrategy, BearerStrategy } from '../../src/accounts/auth/passport.strategies';
import { TokensService } from '../../src/accounts/auth/tokens.service';
import { loadConfig } from '../../src/config';
import { Database } from '../../src/platform/database/database';
import { MessageBroker } from '../../src/platform/messaging/message-broker';
import { TOPOLOGY, type Topology } from '../../src/platform/messaging/topology';
import { WorkspacesService } from '../../src/accounts/workspaces/workspaces.service';
import { ApiClient } from './client';
import { createDatabase, type TestDatabase } from './database';
import { deleteTopology } from './rabbitmq';
import { useStarted } from './use-started';

declare global {
  /** The broker of this run of an end-to-end test; jest.config.cjs sets it. */

  var BROKER: 'in-process' | 'rabbitmq' | undefined;
  /** The servers that test files of this process share, by their settings. Jest loads this module again for each file. */
  var SHARED_SERVERS: Map<string, TestParley> | undefined;

  /** True in what shared servers do, apart from what tests do. */
  var SHARED_SERVERS_CONTEXT: AsyncLocalStorage<true> | undefined;
}

export const JWT_SECRET = 'a secret of thirty-two bytes or more';

export interface TestWorkspace {
  workspaceId: string;
  userId: string;
  apiKey: string;
  api: ApiClient;
}

/** A server under test: the complete application with its own port, database and broker prefix. */
export class TestParley {
  /** The connections are apart from those of the server, which refuses statements when it is busy. */
  private readonly connections: Pool;

  private constructor(
    readonly app: INestApplication,
    readonly url: string,
    readonly database: TestDatabase,
    private readonly prefix: string,
    private readonly rabbitmqUrl: string | undefined,
    /** The folder of its files. */
    readonly dataFolder: string,
  ) {
    this.connections = new Pool({ connectionString: database.url, max: 4, idleTimeoutMillis: 1_000 });
    // A test may end all connections of the database; the next statement gets a new one.
    this.connections.on('error', () => undefined);
  }

  static async start(settings: Record<string, string> = {}, shared?: TestDatabase): Promise<TestParley> {
    const database = shared ?? (await createDatabase());
    const dataFolder = await mkdtemp(join(tmpdir(), 'parley-test-'));
    const prefix = `test-${randomBytes(6).toString('hex')}`;
    const config = loadConfig({
      DATABASE_URL: database.url,
      RABBITMQ_URL: globalThis.BROKER === 'rabbitmq' ? process.env.TEST_RABBITMQ_URL : undefined,
      BROKER_PREFIX: prefix,
      ROLES: 'http,background',
      JWT_SECRET,
      LOG_LEVEL: 'silent',
      PUBLIC_REQUESTS_PER_MINUTE: '1000000',
      WRONG_CREDENTIALS_PER_MINUTE: '1000000',
      PARLEY_DATA: dataFolder,
      // Tests start web calls that no runtime takes.
      WEBCALL_WAIT_MS: '20',
      // The fifty idle workers of the default would ask the database 25 times a second.
      WEBHOOK_CONCURRENCY: '8',
      ...settings,
    });
    const app = await createApp(config);
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    return new TestParley(
      app,
      `http://127.0.0.1:${port}`,
      database,
      config.BROKER_PREFIX,
      config.RABBITMQ_URL?.[0],
      dataFolder,
    );
  }

  /** A client without a credential. */
  get api(): ApiClient {
    return new ApiClient(this.url);
  }

  get broker(): MessageBroker {
    return this.app.get(MessageBroker);
  }

  get topology(): Topology {
    return this.app.get<Topology>(TOPOLOGY);
  }

  /** Creates a workspace with an API key and a client. */
  async workspace({ credits = 100, subscribed = true } = {}): Promise<TestWorkspace> {
    const created = await this.app
      .get(WorkspacesService, { strict: false })
      .create({ name: 'Test', credits, subscribed });
    const { apiKey } = await this.app
      .get(ApiKeysService, { strict: false })
      .create(created.workspaceId, created.userId);
    return { ...created, apiKey, api: this.api.with({ 'x-api-key': apiKey }) };
  }

  /** A client with a scoped token. */
  scoped({ workspaceId, userId }: TestWorkspace, ...scope: string[]): ApiClient {
    const { token } = this.app
      .get(TokensService, { strict: false })
      .sign(workspaceId, userId, { scope, expiresIn: 60 });
    return this.api.with({ authorization: `Bearer ${token}` });
  }

  /** Reads or changes the database directly, for what the API does not offer. */
  async sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.connections.query<Row>(text, values)).rows;
  }

  /** Runs a statement on a connection of the server, which cannot use it meanwhile. */
  sqlOfServer<Row extends object>(text: string): Promise<Row[]> {
    const database = this.app.get(Database, { strict: false });
    return database.query<unknown[], Row>({ name: 'of-a-test', text, parameters: [], isPrepared: false }, []);
  }

  /** Lets Passport ask this server: it has one strategy of a name in a process, that of the server made last. */
  registerStrategies(): void {
    passport.use('api-key', this.app.get(ApiKeyStrategy, { strict: false }));
    passport.use('bearer', this.app.get(BearerStrategy, { strict: false }));
  }

  async stop({ keepDatabase = false } = {}): Promise<void> {
    // The test's clients have their answers, so the server does not have to wait for another request.
    (this.app.getHttpServer() as Server).closeIdleConnections();
    await this.app.close();
    await this.connections.end();
    if (this.rabbitmqUrl) await deleteTopology(this.prefix, [], this.rabbitmqUrl);
    if (!keepDatabase) await this.database.drop();
    await rm(this.dataFolder, { recursive: true, force: true });
  }
}

/** A server for the tests of a file or group, with its own database and broker prefix. */
export const useOwnParley = (settings: Record<string, string> = {}): TestParley =>
  useServer(() => TestParley.start(settings));

/**
 * A server that all groups with these settings share in a worker process. Their tests own workspaces, and change and
 * count nothing else. It has no background loops: while it waits for the next file, they would take a core's twentieth.
 */
export function useParley(settings: Record<string, string> = {}): TestParley {
  const all = { ROLES: 'http', ...settings };
  // The queues of RabbitMQ outlive the process.
  if (globalThis.BROKER === 'rabbitmq') return useOwnParley(all);
  const take = async () => {
    const servers = (globalThis.SHARED_SERVERS ??= new Map<string, TestParley>());
    const key = JSON.stringify(Object.entries(all).sort());
    const context = (globalThis.SHARED_SERVERS_CONTEXT ??= new AsyncLocalStorage());
    const server = servers.get(key) ?? (await context.run(true, () => TestParley.start(all)));
    servers.set(key, server);
    return server;
  };
  // It stops with the process, or in global-teardown.ts.
  return useServer(take, () => undefined);
}

function useServer(take: () => Promise<TestParley>, leave?: () => void): TestParley {
  const register = (server: TestParley) => {
    server.registerStrategies();
    return server;
  };
  const parley = useStarted(() => take().then(register), leave);
  beforeEach(() => register(parley));
  return parley;
}
