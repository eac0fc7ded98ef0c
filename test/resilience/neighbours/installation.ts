import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { ApiClient } from '../../support/client';
import { createDatabase, type TestDatabase } from '../../support/database';
import { countDeadlocks } from '../../support/deadlocks';
import { IdentityProvider, rsaKey } from '../../support/identity-provider';
import { ServerProcess } from '../../support/server-process';
import { sign } from 'jsonwebtoken';
import type { Workspace } from '../../support/workspaces';
import type { Attack } from './attack';
import type { Target } from './attacker';
import { Neighbour } from './neighbour';

const ISSUER = 'https://identity.example';
const AUDIENCE = 'parley';
const KEY_ID = 'current';

const TOKEN_SECONDS = 3_600;

const TELNYX = {
  ...{
    VOICE_CARRIER: 'telnyx',
    PUBLIC_URL: 'https://parley.example.com',
    TELNYX_API_URL: 'http://127.0.0.1:9',
  },
  ...{ TELNYX_API_KEY: 'key', TELNYX_CONNECTION_ID: '1', TELNYX_NUMBER: '+15550100000' },
  // Half of the places are those of web calls.
  VOICE_CAPACITY: '8',
  TELNYX_PUBLIC_KEY: randomBytes(32).toString('base64'),
};

/** A server with the default settings and two workspaces, the attacker and its neighbour. */
export class Installation {
  static async start(
    [attacker, neighbour]: [Workspace, Workspace],
    rabbitmqUrl: string | undefined,
    settings: Attack['settings'],
  ): Promise<Installation> {
    const database = await createDatabase();
    const prefix = `neighbours-${randomBytes(4).toString('hex')}`;
    const key = rsaKey();
    const provider = settings === 'identity provider' ? new IdentityProvider({ [KEY_ID]: key }) : undefined;
    const credentials: Record<string, string> = provider
      ? { JWKS_URL: await provider.start(), JWT_ISSUER: ISSUER, JWT_AUDIENCE: AUDIENCE }
      : { JWT_SECRET: 'a secret of thirty-two bytes or more' };
    const server = await ServerProcess.start({
      DATABASE_URL: database.url,
      BROKER_PREFIX: prefix,
      PARLEY_DATA: mkdtempSync(join(tmpdir(), 'parley-neighbours-')),
      LOG_LEVEL: 'warn',
      ALLOW_PRIVATE_ADDRESSES: 'true',
      // Attacks without a credential come from another address than the neighbour's requests.
      TRUST_PROXY: 'loopback',
      ...credentials,
      // The voice runtime is in the server's process if there is no RabbitMQ. Its carrier is never asked.
      ...(settings === 'voice' ? TELNYX : rabbitmqUrl && { RABBITMQ_URL: rabbitmqUrl }),
    });
    // One that speaks would load the models of speech.
    const type = settings === 'voice' ? 'chat' : 'outbound';
    const token = sign({ workspace_id: neighbour.workspaceId }, key.privateKey, {
      algorithm: 'RS256',
      keyid: KEY_ID,
      subject: neighbour.userId,
      issuer: ISSUER,
      audience: AUDIENCE,
      expiresIn: TOKEN_SECONDS,
    });
    return new Installation(
      server,
      database,
      provider,
      {
        url: server.url,
        apiKey: attacker.apiKey,
        agentId: await createAgent(server.url, attacker, type),
        rabbitmqUrl,
        brokerPrefix: prefix,
      },
      new Neighbour(
        server.url,
        provider ? { authorization: `Bearer ${token}` } : { 'x-api-key': neighbour.apiKey },
        await createAgent(server.url, neighbour, type),
      ),
    );
  }

  private constructor(
    readonly server: ServerProcess,
    private readonly database: TestDatabase,
    private readonly provider: IdentityProvider | undefined,
    readonly target: Target,
    readonly neighbour: Neighbour,
  ) {}

  /** Ends the server. @returns how many deadlocks there were */
  async end(): Promise<number> {
    await this.server.kill();
    const client = new Client(this.database.url);
    await client.connect();
    try {
      return await countDeadlocks(client);
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    await this.server.kill();
    await this.provider?.stop();
    await this.database.drop();
  }
}

async function createAgent(url: string, { apiKey }: Workspace, type: string): Promise<string> {
  const api = new ApiClient(url, { 'x-api-key': apiKey });
  const { status, body } = await api.post('/api/agents', { type });
  if (status !== 200) throw new Error(`An agent could not be created: ${JSON.stringify(body)}`);
  return body.data._id as string;
}
