import { randomUUID } from 'node:crypto';
import { connect } from 'amqplib';

/** Offers calls, grants claims and counts reports, as the contract says. It stores nothing. */
export class StandInServer {
  heartbeats = 0;
  turns = 0;
  mostAtOnce = 0;
  #ended = 0;
  #inProgress = 0;
  #whenEnded = () => {};

  static async start(url, prefix) {
    const server = new StandInServer();
    await server.#open(url, prefix);
    return server;
  }

  async #open(url, prefix) {
    this.prefix = prefix;
    this.connection = await connect(url);
    const channel = (this.channel = await this.connection.createChannel());
    await channel.assertExchange(`${prefix}.events`, 'topic', { autoDelete: true });
    await channel.assertExchange(`${prefix}.commands`, 'direct', { autoDelete: true });
    // The queue has no autoDelete: a worker replaces its consumer.
    await channel.assertQueue(`${prefix}.calls.default`, { expires: 60_000, durable: false });
    await channel.assertQueue(`${prefix}.claims`, { autoDelete: true });
    await channel.bindQueue(`${prefix}.claims`, `${prefix}.events`, 'claim');
    await channel.assertQueue(`${prefix}.events.server`, { autoDelete: true });
    for (const key of ['call.#', 'worker.hello']) {
      await channel.bindQueue(`${prefix}.events.server`, `${prefix}.events`, key);
    }
    await channel.consume(`${prefix}.claims`, (message) => this.#grant(message), { noAck: true });
    await channel.consume(`${prefix}.events.server`, (message) => this.#count(message), { noAck: true });
  }

  offer(calls) {
    for (let count = 0; count < calls; count++) {
      const now = Date.now();
      const start = {
        conversation_id: randomUUID(),
        direction: 'outbound',
        greeting: 'Good day!',
        prompt: 'p'.repeat(4_000),
        dynamic_variables: {},
        created_at: new Date(now).toISOString(),
        expires_at: new Date(now + 60_000).toISOString(),
      };
      this.channel.sendToQueue(`${this.prefix}.calls.default`, Buffer.from(JSON.stringify(start)), {
        type: 'call.start.v1',
        contentType: 'application/json',
      });
    }
  }

  async allEnded(calls) {
    while (this.#ended < calls) await new Promise((resolve) => (this.#whenEnded = resolve));
  }

  async stop() {
    await this.connection.close();
  }

  #grant({ content, properties }) {
    const { conversation_id } = JSON.parse(content.toString());
    const claimed = { conversation_id, token: randomUUID(), lease_seconds: 6, heartbeat_seconds: 2 };
    const { correlationId, replyTo } = properties;
    this.channel.sendToQueue(replyTo, Buffer.from(JSON.stringify(claimed)), {
      type: 'call.claimed.v1',
      correlationId,
    });
  }

  #count({ content, properties: { type } }) {
    if (type === 'call.heartbeat.v1') this.heartbeats += 1;
    if (type === 'call.transcript.v1') this.turns += JSON.parse(content.toString()).turns.length;
    if (type === 'call.connected.v1') {
      this.#inProgress += 1;
      this.mostAtOnce = Math.max(this.mostAtOnce, this.#inProgress);
    }
    if (type !== 'call.ended.v1') return;
    this.#inProgress -= 1;
    this.#ended += 1;
    this.#whenEnded();
  }
}
