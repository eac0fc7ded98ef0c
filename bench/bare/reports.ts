import type { ConsumeMessage } from 'amqplib';
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { type CallEnded, type Claim, MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import { parseBody, type Broker } from './broker';
import { Group, type GroupOptions } from './group';
import { CLAIM, CONNECT, END, HEARTBEAT } from './lifecycle.sql';

/** The prefetch of each queue. */
const PREFETCH = 500;

type Report = CallEnded & { type: string };

/** Answers the claims and applies the events of runtimes. */
export class Reports {
  private readonly claims: Group<Claim, string | undefined>;
  private readonly events: Group<Report, void>;

  constructor(
    private readonly sql: Pool,
    private readonly broker: Broker,
    options: GroupOptions,
  ) {
    this.claims = new Group(options, (claims) => this.claim(claims));
    // One group at a time keeps the events of a call in order.
    this.events = new Group({ ...options, concurrent: 1 }, (reports) => this.apply(reports));
  }

  async listen(): Promise<void> {
    const { claimsQueue, eventsQueue } = this.broker.topology;
    await this.broker.consume(claimsQueue, PREFETCH, (message) => this.answer(message));
    await this.broker.consume(eventsQueue, PREFETCH, (message) =>
      this.events.add({ ...parseBody<CallEnded>(message), type: String(message.properties.type) }),
    );
  }

  private async answer(message: ConsumeMessage): Promise<void> {
    const claim = parseBody<Claim>(message);
    const token = await this.claims.add(claim);
    const { replyTo, correlationId } = message.properties as { replyTo: string; correlationId: string };
    const type = token ? MESSAGE_TYPES.claimed : MESSAGE_TYPES.claimRefused;
    const body = { conversation_id: claim.conversation_id, token, lease_seconds: 30, heartbeat_seconds: 10 };
    await this.broker.publish('', replyTo, type, body, { correlationId, mandatory: false });
  }

  private async claim(claims: Claim[]): Promise<(string | undefined)[]> {
    const tokens = claims.map(() => randomUUID());
    const values = [
      claims.map((claim) => claim.conversation_id),
      tokens,
      claims.map((claim) => claim.worker_id),
    ];
    const { rows } = await this.sql.query<{ id: string }>({ name: 'claim', text: CLAIM, values });
    const claimed = new Set(rows.map(({ id }) => id));
    return claims.map(({ conversation_id }, index) =>
      claimed.has(conversation_id) ? tokens[index] : undefined,
    );
  }

  private async apply(reports: Report[]): Promise<void[]> {
    await this.run(
      'connect',
      CONNECT,
      reports.filter(({ type }) => type === MESSAGE_TYPES.connected),
    );
    await this.run(
      'heartbeat',
      HEARTBEAT,
      reports.filter(({ type }) => type === MESSAGE_TYPES.heartbeat),
    );
    const ended = reports.filter(({ type }) => type === MESSAGE_TYPES.ended);
    await this.run(
      'end',
      END,
      ended,
      ended.map((report) => report.disconnect_reason),
      ended.map((report) => report.summary ?? ''),
    );
    return [];
  }

  private async run(name: string, text: string, reports: Report[], ...columns: string[][]): Promise<void> {
    if (reports.length === 0) return;
    const ids = reports.map((report) => report.conversation_id);
    const tokens = reports.map(({ token }) => token);
    await this.sql.query({ name, text, values: [ids, tokens, ...columns] });
  }
}
