import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import { ACCEPT, AGENT_CONFIG, FIND_KEYS } from './accept.sql';
import type { Broker } from './broker';
import { Group, type GroupOptions } from './group';

export interface Call {
  id: string;
  workspaceId: string;
  agentId: string;
  toNumber: string;
  request: object;
}

const EXPIRATION_MS = 3_600_000;

/** Looks API keys up, accepts calls and publishes them. */
export class Calls {
  private readonly keys: Group<Buffer, string | undefined>;
  private readonly accepts: Group<Call, number | undefined>;
  /** The configurations of agents by id and version, which never change. */
  private readonly agents = new Map<string, unknown>();

  constructor(
    private readonly sql: Pool,
    private readonly broker: Broker,
    options: GroupOptions,
  ) {
    this.keys = new Group(options, (hashes) => this.findKeys(hashes));
    this.accepts = new Group(options, (calls) => this.accept(calls));
  }

  /** @returns the workspace of a valid key */
  findWorkspace(hash: Buffer): Promise<string | undefined> {
    return this.keys.add(hash);
  }

  /** Resolves when the broker has confirmed the call. @returns its id, or undefined if it was refused */
  async start(fields: Omit<Call, 'id'>): Promise<string | undefined> {
    const call = { id: randomUUID(), ...fields };
    const version = await this.accepts.add(call);
    if (version === undefined) return undefined;
    await this.publish(call, version);
    return call.id;
  }

  async publish({ id, workspaceId, agentId, toNumber, request }: Call, version: number): Promise<void> {
    const body = {
      conversation_id: id,
      workspaceId,
      agent_id: agentId,
      agent_version: version,
      to_number: toNumber,
      ...request,
      created_at: new Date(),
      agent: await this.findConfig(agentId, version),
    };
    const properties = { messageId: id, expiration: EXPIRATION_MS };
    const { calls } = this.broker.topology;
    await this.broker.publish(
      calls,
      `call.start.voice.${agentId}`,
      MESSAGE_TYPES.callStart,
      body,
      properties,
    );
  }

  private async findKeys(hashes: Buffer[]): Promise<(string | undefined)[]> {
    const query = { name: 'find-keys', text: FIND_KEYS, values: [hashes] };
    const { rows } = await this.sql.query<{ hash: Buffer; workspace_id: string }>(query);
    const found = new Map(rows.map(({ hash, workspace_id }) => [hash.toString('latin1'), workspace_id]));
    return hashes.map((hash) => found.get(hash.toString('latin1')));
  }

  private async accept(calls: Call[]): Promise<(number | undefined)[]> {
    const columns = [
      calls.map(({ id }) => id),
      calls.map(({ workspaceId }) => workspaceId),
      calls.map(({ agentId }) => agentId),
      calls.map(({ toNumber }) => toNumber),
      calls.map(({ request }) => JSON.stringify(request)),
    ];
    const query = { name: 'accept', text: ACCEPT, values: columns };
    const { rows } = await this.sql.query<{ id: string; version: number }>(query);
    const versions = new Map(rows.map(({ id, version }) => [id, version]));
    return calls.map(({ id }) => versions.get(id));
  }

  private async findConfig(agentId: string, version: number): Promise<unknown> {
    const key = `${agentId} ${version}`;
    if (!this.agents.has(key)) {
      const { rows } = await this.sql.query<{ config: unknown }>(AGENT_CONFIG, [agentId]);
      this.agents.set(key, rows[0]?.config);
    }
    return this.agents.get(key);
  }
}
