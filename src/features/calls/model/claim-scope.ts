import { Inject, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { MalformedMessageError } from '../../../platform/messaging/malformed-message.error';
import type { IncomingMessage } from '../../../platform/messaging/message-broker';
import { CLAIM_KEY, INCOMING_KEY, TOPOLOGY, type Topology } from '../../../platform/messaging/topology';

/** The workspace whose calls a claim may be about. null: all workspaces */
export type ClaimScope = string | null;

/**
 * Reads the scope of a claim from its routing key, because RabbitMQ checks that against the permissions of the worker.
 * Its check leaves out other keys of a message (the header CC) and its type, so every other routing key is refused.
 */
@Injectable()
export class ClaimScopes {
  private readonly unrestricted: string[];

  constructor(@Inject(TOPOLOGY) { claimsQueue }: Topology) {
    this.unrestricted = [CLAIM_KEY, claimsQueue];
  }

  /** @throws MalformedMessageError */
  ofClaim(message: IncomingMessage): ClaimScope {
    return this.readScope(message, CLAIM_KEY);
  }

  /** @throws MalformedMessageError */
  ofIncomingCall(message: IncomingMessage): ClaimScope {
    return this.readScope(message, INCOMING_KEY);
  }

  private readScope({ routingKey }: IncomingMessage, key: string): ClaimScope {
    if (this.unrestricted.includes(routingKey)) return null;
    const workspaceId = routingKey.startsWith(`${key}.`) ? routingKey.slice(key.length + 1) : '';
    if (isUUID(workspaceId)) return workspaceId.toLowerCase();
    throw new MalformedMessageError(
      `its routing key must be "${CLAIM_KEY}", or "${key}." and the id of a workspace`,
    );
  }
}
