import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Database, type Transaction } from '../../platform/database/database';
import { type Page, readPage, WorkspaceRepository } from '../../platform/database/workspace.repository';
import type { EndpointJob } from './delivery-job';
import { ADD_ENDPOINT_TEST_EVENT } from './webhook-delivery.sql';
import { type EndpointStatus, WebhookEndpoint } from './webhook-endpoint.entity';
import {
  ADD_ENDPOINT_JOB,
  CONTINUE_ENDPOINT_JOB,
  COUNT_WAITING,
  DROP_WAITING,
  FIND_ENDPOINT_STATUS,
  HOLD_WAITING,
  MOVE_BATCH,
  PROBE_NOW,
  REPLAY_DELIVERIES,
  SEND_WAITING,
  TAKE_PROBE,
} from './webhook-endpoint.sql';
import { FIND_ENDPOINT_SECRETS, ROTATE_ENDPOINT_SECRET, type ValidSecrets } from './webhook-secrets.sql';

type Secrets = 'secret' | 'previousSecret' | 'previousExpiresAt';

export type ListedEndpoint = Omit<WebhookEndpoint, Secrets>;

@Injectable()
export class WebhookEndpointsRepository extends WorkspaceRepository<WebhookEndpoint, Secrets> {
  constructor(database: Database) {
    super(database, WebhookEndpoint);
  }

  /** Lists endpoints, the oldest first. */
  list(
    workspaceId: string,
    { status, ...page }: { status?: EndpointStatus; page: number; limit: number },
  ): Promise<Page<ListedEndpoint>> {
    const endpoints = this.select(workspaceId, 'endpoint').orderBy({
      'endpoint.createdAt': 'ASC',
      'endpoint.id': 'ASC',
    });
    if (status !== undefined) endpoints.andWhere({ status });
    return readPage(endpoints, page);
  }

  /** Counts the deliveries that wait, up to {@link MAX_WAITING} for each endpoint. */
  async countWaiting(workspaceId: string, ids: string[]): Promise<Map<string, number>> {
    const counted = await this.database.query(COUNT_WAITING, { workspaceId, ids });
    return new Map(counted.map(({ id, waiting }) => [id, waiting]));
  }

  /** Deletes an endpoint. Its job deletes what waits. */
  async delete(workspaceId: string, endpointId: string, transaction: Transaction): Promise<void> {
    await transaction.manager.delete(WebhookEndpoint, { workspaceId, id: endpointId });
    await this.addJob(workspaceId, endpointId, transaction);
  }

  /** Adds a job that does what the status demands, in the transaction that has changed it. */
  async addJob(workspaceId: string, endpointId: string, transaction: Transaction): Promise<void> {
    await transaction.query(ADD_ENDPOINT_JOB, { workspaceId, endpointId });
  }

  /** Adds a job again, to go on in a second. */
  async continueJob(job: EndpointJob): Promise<void> {
    await this.database.query(CONTINUE_ENDPOINT_JOB, job);
  }

  /** @returns null if there is no such endpoint */
  async findStatus({ workspaceId, endpointId }: EndpointJob): Promise<EndpointStatus | null> {
    return (await this.database.query(FIND_ENDPOINT_STATUS, { workspaceId, endpointId }))[0]?.status ?? null;
  }

  /** @returns false if no probe is due, or another process has it */
  async takeProbe({ workspaceId, endpointId }: EndpointJob): Promise<boolean> {
    return (await this.database.query(TAKE_PROBE, { workspaceId, endpointId })).length > 0;
  }

  /** Makes the next probe due, in the transaction that has changed the address. */
  async probeNow(workspaceId: string, endpointId: string, transaction: Transaction): Promise<void> {
    await transaction.query(PROBE_NOW, { workspaceId, endpointId });
  }

  /** Sends a batch on. @returns the job that goes on, if there is more */
  async sendWaiting(job: EndpointJob): Promise<EndpointJob | null> {
    const [sent] = await this.database.query(SEND_WAITING, job);
    const next = { ...job, after: sent?.last ?? job.after, until: sent?.until ?? null };
    return next.until !== null && BigInt(next.after) < BigInt(next.until) ? next : null;
  }

  /** Holds what waits for an endpoint that is paused or off. */
  holdWaiting(job: EndpointJob, stop: AbortSignal): Promise<void> {
    return this.inBatches(HOLD_WAITING, job, stop);
  }

  /** Deletes what waits for a deleted endpoint. */
  dropWaiting(job: EndpointJob, stop: AbortSignal): Promise<void> {
    return this.inBatches(DROP_WAITING, job, stop);
  }

  /** Sends deliveries again that were held or failed. @returns how many */
  async replay(
    workspaceId: string,
    endpointId: string,
    period: { from: Date; to: Date | null },
    transaction: Transaction,
  ): Promise<number> {
    const [replayed] = await transaction.query(REPLAY_DELIVERIES, { workspaceId, endpointId, ...period });
    return replayed?.deliveries ?? 0;
  }

  /** @returns the id of the delivery */
  async insertTestEvent(
    workspaceId: string,
    endpointId: string,
    transaction: Transaction,
  ): Promise<string | undefined> {
    if (!isUUID(endpointId)) return undefined;
    return (await transaction.query(ADD_ENDPOINT_TEST_EVENT, { workspaceId, endpointId }))[0]?.id;
  }

  async findSecrets(workspaceId: string, endpointId: string): Promise<ValidSecrets | undefined> {
    if (!isUUID(endpointId)) return undefined;
    return (await this.database.query(FIND_ENDPOINT_SECRETS, { workspaceId, endpointId }))[0];
  }

  async rotateSecret(
    workspaceId: string,
    endpointId: string,
    next: { secret: string; overlapHours: number },
    transaction: Transaction,
  ): Promise<void> {
    await transaction.query(ROTATE_ENDPOINT_SECRET, { workspaceId, endpointId, ...next });
  }

  /** A job that is interrupted begins anew. */
  private async inBatches(
    statement: typeof HOLD_WAITING,
    { workspaceId, endpointId }: EndpointJob,
    stop: AbortSignal,
  ): Promise<void> {
    let moved = MOVE_BATCH;
    while (moved === MOVE_BATCH) {
      stop.throwIfAborted();
      moved = (await this.database.query(statement, { workspaceId, endpointId })).length;
    }
  }
}
