import { randomUUID } from 'node:crypto';
import { type EnvelopedResponse, toEnvelope } from '../../platform/http/envelope';
import type { IdempotentRequest } from './idempotent-request';

/** The time for which an attempt without a renewal is considered in progress. */
export const ATTEMPT_LEASE_SECONDS = 15;

/** A response as it is stored with its key. */
export type StoredResponse = Omit<EnvelopedResponse, 'headers'>;

/** The parameters of a statement that works on the key of an attempt, while the attempt owns it. */
export interface OwnedKey {
  workspaceId: string;
  endpoint: string;
  idempotencyKey: string;
  owner: string;
}

/** One attempt to do the work of an idempotent request. An attempt that lost its lease owns its key no longer. */
export class IdempotentAttempt {
  /** Whether a transaction has stored the response, committed or not. */
  hasStored = false;

  private readonly owner = randomUUID();

  constructor(readonly request: IdempotentRequest) {}

  get ownedKey(): OwnedKey {
    const { workspaceId, endpoint, key } = this.request;
    return { workspaceId, endpoint, idempotencyKey: key, owner: this.owner };
  }

  /** The response that the route gives with this result of its handler. */
  toResponse(result: unknown): StoredResponse {
    this.hasStored = true;
    const { status, body, location } = toEnvelope(this.request.success, result);
    return { status, body, location };
  }
}
