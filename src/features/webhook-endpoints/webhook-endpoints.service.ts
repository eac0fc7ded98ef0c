import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database';
import { Created } from '../../platform/http/created';
import { validationFailed } from '../../platform/http/errors';
import { paginate } from '../../platform/http/pagination';
import { QuotasService } from '../../accounts/workspaces/quotas.service';
import { AgentsService } from '../agents/agents.service';
import { ENDPOINT_STATUS, type WebhookEndpoint } from '../webhooks/webhook-endpoint.entity';
import { type ListedEndpoint, WebhookEndpointsRepository } from '../webhooks/webhook-endpoints.repository';
import { newSecret } from '../webhooks/webhook-secrets.service';
import { presentSecrets } from '../webhooks/webhooks.presenter';
import type {
  ChangeWebhookEndpointDto,
  CreateWebhookEndpointDto,
  ListWebhookEndpointsQuery,
  ReplayDeliveriesDto,
  WebhookEndpointDto,
} from './webhook-endpoints.dto';
import { endpointNotFound, endpointOff } from './webhook-endpoints.errors';
import { presentEndpoint } from './webhook-endpoints.presenter';

/** The members that a status has with it. */
const ofStatus = (status: 'ok' | 'off') =>
  ({
    status: ENDPOINT_STATUS[status],
    statusSince: new Date(),
    pausedReason: null,
    probeAt: null,
    failures: 0,
    probes: 0,
  }) as const;

@Injectable()
export class WebhookEndpointsService {
  constructor(
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly agents: AgentsService,
    private readonly quotas: QuotasService,
    private readonly database: Database,
  ) {}

  /** @throws 403, 404 for an agent */
  create(
    workspaceId: string,
    body: CreateWebhookEndpointDto,
  ): Promise<Created<WebhookEndpointDto, WebhookEndpoint>> {
    const { agent_ids: agentIds, enabled, ...values } = body;
    return this.quotas.createWithinQuota(workspaceId, 'webhook_endpoints', async (transaction) => {
      if (agentIds) await this.agents.assertExist(workspaceId, agentIds, transaction);
      const endpoint = await this.endpoints.insert(
        workspaceId,
        {
          ...{ ...values, agentIds, ...ofStatus(enabled ? 'ok' : 'off') },
          ...{ lastDeliveredAt: null, lastError: null, secret: newSecret() },
        },
        transaction,
      );
      return new Created(presentEndpoint(endpoint, 0), `/api/webhooks/endpoints/${endpoint.id}`, endpoint);
    });
  }

  async list(workspaceId: string, query: ListWebhookEndpointsQuery) {
    const { rows, total } = await this.endpoints.list(workspaceId, query);
    return paginate(await this.present(workspaceId, rows), query, total);
  }

  /** @throws 404 */
  async get(workspaceId: string, endpointId: string): Promise<WebhookEndpointDto> {
    const endpoint = await this.endpoints.find(workspaceId, endpointId);
    if (!endpoint) throw endpointNotFound();
    return (await this.present(workspaceId, [endpoint]))[0] as WebhookEndpointDto;
  }

  /** @throws 404 */
  async change(
    workspaceId: string,
    endpointId: string,
    body: ChangeWebhookEndpointDto,
  ): Promise<WebhookEndpointDto> {
    const { agent_ids: agentIds, enabled, ...given } = body;
    const changed = await this.database.transaction(async (transaction) => {
      const endpoint = await this.lock(workspaceId, endpointId, transaction);
      if (agentIds) await this.agents.assertExist(workspaceId, agentIds, transaction);
      const isProbed = endpoint.status === ENDPOINT_STATUS.failing;
      const isSending = endpoint.status === ENDPOINT_STATUS.ok || isProbed;
      const isNewAddress = given.url !== undefined && given.url !== endpoint.url;
      Object.assign(
        endpoint,
        Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
        agentIds !== undefined && { agentIds },
        enabled !== undefined && enabled !== isSending && ofStatus(enabled ? 'ok' : 'off'),
        // The new address may be the remedy.
        isNewAddress && isProbed && enabled !== false && { probeAt: new Date(), probes: 0 },
      );
      await this.endpoints.save(endpoint, transaction);
      await this.endpoints.addJob(workspaceId, endpoint.id, 0, transaction);
      transaction.change = {
        changed: Object.keys(body).filter((name) => body[name as keyof typeof body] !== undefined),
      };
      return endpoint;
    });
    return (await this.present(workspaceId, [changed]))[0] as WebhookEndpointDto;
  }

  /** @throws 404 */
  async remove(workspaceId: string, endpointId: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const { id } = await this.lock(workspaceId, endpointId, transaction);
      await this.endpoints.delete(workspaceId, id, transaction);
    });
  }

  /** @throws 404 */
  async getSecret(workspaceId: string, endpointId: string) {
    const secrets = await this.endpoints.findSecrets(workspaceId, endpointId);
    if (!secrets) throw endpointNotFound();
    return presentSecrets(secrets);
  }

  /** Makes a new secret. The current one stays valid for `overlapHours`. The previous one ends now. @throws 404 */
  async rotateSecret(workspaceId: string, endpointId: string, overlapHours: number) {
    await this.database.transaction(async (transaction) => {
      const { id } = await this.lock(workspaceId, endpointId, transaction);
      await this.endpoints.rotateSecret(workspaceId, id, { secret: newSecret(), overlapHours }, transaction);
      transaction.change = { overlap_hours: overlapHours };
    });
    return this.getSecret(workspaceId, endpointId);
  }

  /** @throws 403, 404 */
  async sendTestEvent(workspaceId: string, endpointId: string) {
    const deliveryId = await this.quotas.createWithinQuota(
      workspaceId,
      'webhook_test_events',
      (transaction) => this.endpoints.insertTestEvent(workspaceId, endpointId, transaction),
    );
    if (deliveryId === undefined) throw endpointNotFound();
    return { delivery_id: deliveryId };
  }

  /**
   * Sends again what was held or failed. A paused endpoint goes on in the same transaction, so that what was held comes
   * before what happens from now on.
   * @throws 400, 404, 409
   */
  replay(workspaceId: string, endpointId: string, { from, to }: ReplayDeliveriesDto) {
    if (from.getTime() > Date.now())
      throw validationFailed([{ field: 'from', message: 'from must not be in the future' }]);
    return this.database.transaction(async (transaction) => {
      const endpoint = await this.lock(workspaceId, endpointId, transaction);
      if (endpoint.status === ENDPOINT_STATUS.off) throw endpointOff();
      const deliveries = await this.endpoints.replay(
        workspaceId,
        endpoint.id,
        { from, to: to ?? null },
        transaction,
      );
      if (endpoint.status === ENDPOINT_STATUS.paused)
        await this.endpoints.save(Object.assign(endpoint, ofStatus('ok')), transaction);
      await this.endpoints.addJob(workspaceId, endpoint.id, 0, transaction);
      transaction.change = { deliveries };
      return { deliveries };
    });
  }

  private async lock(
    workspaceId: string,
    endpointId: string,
    transaction: Transaction,
  ): Promise<ListedEndpoint> {
    const endpoint = await this.endpoints.findLocked(workspaceId, endpointId, transaction);
    if (!endpoint) throw endpointNotFound();
    return endpoint;
  }

  private async present(workspaceId: string, rows: ListedEndpoint[]): Promise<WebhookEndpointDto[]> {
    const waiting = await this.endpoints.countWaiting(
      workspaceId,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => presentEndpoint(row, waiting.get(row.id) ?? 0));
  }
}
