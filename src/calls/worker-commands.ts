import { Inject, Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { CONFIG, type Config } from '../config';
import { MessageBroker, PublishFailed } from '../messaging/message-broker';
import { TOPOLOGY, type Topology } from '../messaging/topology';
import { type HangUp, MESSAGE_TYPES } from '../messaging/wire';

/** AMQP's limit. */
const MAX_ROUTING_KEY_BYTES = 255;

/** Tells workers what to do with the calls they hold. */
@Injectable()
export class WorkerCommands {
  private readonly logger = new Logger(WorkerCommands.name);

  constructor(
    private readonly broker: MessageBroker,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(TOPOLOGY) private readonly topology: Topology,
  ) {}

  /**
   * @returns whether the command is on its way; false where the worker does not listen now, or the broker is away:
   * the worker's next heartbeat is the next occasion.
   */
  async hangUp(workerId: string, conversationId: string): Promise<boolean> {
    // A longer one fits into no routing key, so that nobody can listen by it.
    if (Buffer.byteLength(workerId) > MAX_ROUTING_KEY_BYTES) return false;
    const body: HangUp = { conversation_id: conversationId };
    try {
      await this.broker.publish({
        exchange: this.topology.commands,
        routingKey: workerId,
        type: MESSAGE_TYPES.hangUp,
        messageId: randomUUID(),
        body,
        expirationMs: this.config.LEASE_SECONDS * 1_000,
        persistent: false,
      });
      return true;
    } catch (error) {
      if (!(error instanceof PublishFailed)) throw error;
      this.logger.warn(
        { conversationId, workerId, reason: error.message },
        'A hang-up did not reach its worker',
      );
      return false;
    }
  }
}
