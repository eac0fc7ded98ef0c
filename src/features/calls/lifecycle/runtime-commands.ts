import { Inject, Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { CONFIG, type Config } from '../../../config';
import { MessageBroker, PublishError } from '../../../platform/messaging/message-broker';
import { TOPOLOGY, type Topology } from '../../../platform/messaging/topology';
import { type HangUp, MESSAGE_TYPES } from '../../../platform/messaging/wire';

/** The limit of AMQP for a routing key. */
const MAX_ROUTING_KEY_BYTES = 255;

/** Sends commands to the runtimes that have claimed calls. */
@Injectable()
export class RuntimeCommands {
  private readonly logger = new Logger(RuntimeCommands.name);

  constructor(
    private readonly broker: MessageBroker,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(TOPOLOGY) private readonly topology: Topology,
  ) {}

  /**
   * @returns false if the runtime has no queue now or the broker is unavailable; its next heartbeat has the
   * command sent again
   */
  async hangUp(workerId: string, conversationId: string): Promise<boolean> {
    // A longer id does not fit into a routing key, so no runtime can receive commands by it.
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
      if (!(error instanceof PublishError)) throw error;
      this.logger.warn(
        { conversationId, workerId, reason: error.message },
        'A hang-up did not reach its runtime',
      );
      return false;
    }
  }
}
