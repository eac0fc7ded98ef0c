import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Database, type Transaction } from '../../platform/database/database';
import { type Page, readPage, WorkspaceRepository } from '../../platform/database/workspace.repository';
import type { EndpointJob } from './delivery-job';
import { ADD_ENDPOINT_TEST_EVENT } from './webhook-delivery.sql';
import { type EndpointStatus, type PausedReason, WebhookEndpoint } from './webhook-endpoint.entity';
import {
  ADD_ENDPOINT_JOB,
  COUNT_WAITING,
  DROP_UNSENT,
  DROP_UNSENT_OF_ENDPOINT,
  FIND_ENDPOINT_STATUS,
  HOLD_WAITING,
  PAUSE_ENDPOINT,
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

  /** Deletes an endpoint, and what waits for it. The cleaner deletes what is left. */
  async delete(workspaceId: string, endpointId: string, transaction: Transaction): Promise<void> {
    await transaction.manager.delete(WebhookEndpoint, { workspaceId, id: endpointId });
    await transaction.query(DROP_UNSENT_OF_ENDPOINT, { workspaceId, endpointId });
  }

  /** Deletes deliveries of deleted endpoints that are not sent. @returns how many */
  async dropUnsent(limit: number): Promise<number> {
    return (await this.database.query(DROP_UNSENT, { limit })).length;
  }

  /** Adds a job that does what the status demands. It is to be committed with the change of the status. */
  async addJob(
    workspaceId: string,
    endpointId: string,
    delaySeconds = 0,
    queryable: Pick<Transaction, 'query'> = this.database,
  ): Promise<void> {
    await queryable.query(ADD_ENDPOINT_JOB, { workspaceId, endpointId, delaySeconds });
  }

  /** @returns null if there is no such endpoint */
  async findStatus(job: EndpointJob): Promise<EndpointStatus | null> {
    return (await this.database.query(FIND_ENDPOINT_STATUS, ids(job)))[0]?.status ?? null;
  }

  /** @returns false if no probe is due, or another process has it */
  async takeProbe(job: EndpointJob): Promise<boolean> {
    return (await this.database.query(TAKE_PROBE, ids(job))).length > 0;
  }

  async pause(workspaceId: string, endpointId: string, reason: PausedReason): Promise<void> {
    await this.database.query(PAUSE_ENDPOINT, { workspaceId, endpointId, reason });
  }

  sendWaiting(job: EndpointJob, stop: AbortSignal): Promise<void> {
    return this.moveWaiting(SEND_WAITING, job, stop);
  }

  holdWaiting(job: EndpointJob, stop: AbortSignal): Promise<void> {
    return this.moveWaiting(HOLD_WAITING, job, stop);
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
  private async moveWaiting(
    statement: typeof SEND_WAITING,
    job: EndpointJob,
    stop: AbortSignal,
  ): Promise<void> {
    let after: string | null = '0';
    while (after !== null) {
      stop.throwIfAborted();
      const moved: { last: string | null }[] = await this.database.query(statement, { ...ids(job), after });
      after = moved[0]?.last ?? null;
    }
  }
}

const ids = ({ workspaceId, endpointId }: EndpointJob) => ({ workspaceId, endpointId });
