import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database';
import { Created } from '../../platform/http/created';
import { validationFailed } from '../../platform/http/errors';
import { paginate } from '../../platform/http/pagination';
import { QuotasService } from '../../accounts/workspaces/quotas.service';
import { AgentsService } from '../agents/agents.service';
import {
  ENDPOINT_STATUS,
  type EndpointStatus,
  type WebhookEndpoint,
} from '../webhooks/webhook-endpoint.entity';
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
import { endpointNotFound, endpointOff } from '../webhooks/webhooks.errors';
import { presentEndpoint } from './webhook-endpoints.presenter';

/** The value of `enabled` that does not change a status. A paused endpoint is neither: both values change it. */
const SWITCHED: Record<EndpointStatus, boolean | undefined> = {
  ok: true,
  failing: true,
  paused: undefined,
  off: false,
};

/** Each id once, in the spelling of Postgres. */
const uniqueOf = (ids: string[] | null | undefined) =>
  ids ? [...new Set(ids.map((id) => id.toLowerCase()))] : null;

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
      const agents = uniqueOf(agentIds);
      if (agents) await this.agents.assertExist(workspaceId, agents, transaction);
      const endpoint = await this.endpoints.insert(
        workspaceId,
        {
          ...{ ...values, agentIds: agents, ...ofStatus(enabled ? 'ok' : 'off') },
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
      const added = uniqueOf(agentIds)?.filter((id) => !endpoint.agentIds?.includes(id)) ?? [];
      if (added.length > 0) await this.agents.assertExist(workspaceId, added, transaction);
      const isNewAddress = given.url !== undefined && given.url !== endpoint.url;
      const isSwitched = enabled !== undefined && enabled !== SWITCHED[endpoint.status];
      Object.assign(
        endpoint,
        Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
        agentIds !== undefined && { agentIds: uniqueOf(agentIds) },
        isSwitched && ofStatus(enabled ? 'ok' : 'off'),
      );
      await this.endpoints.save(endpoint, transaction);
      // The new address may be the remedy.
      if (isNewAddress) await this.endpoints.probeNow(workspaceId, endpoint.id, transaction);
      if (isNewAddress || isSwitched) await this.endpoints.addJob(workspaceId, endpoint.id, transaction);
      transaction.targetName = endpoint.url;
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
      const { id, url } = await this.lock(workspaceId, endpointId, transaction);
      await this.endpoints.delete(workspaceId, id, transaction);
      transaction.targetName = url;
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
   * Sends again what was held or failed. A paused endpoint goes on in the same transaction, so that what was held of
   * a call comes before what happens from now on.
   * @throws 400, 404, 409
   */
  replay(workspaceId: string, endpointId: string, { from, to }: ReplayDeliveriesDto) {
    if (from.getTime() > Date.now())
      throw validationFailed([{ field: 'body.from', message: 'from must not be in the future' }]);
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
      await this.endpoints.addJob(workspaceId, endpoint.id, transaction);
      transaction.targetName = endpoint.url;
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
