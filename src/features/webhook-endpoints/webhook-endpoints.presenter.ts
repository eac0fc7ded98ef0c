import { ENDPOINT_STATUS } from '../webhooks/webhook-endpoint.entity';
import type { ListedEndpoint } from '../webhooks/webhook-endpoints.repository';
import type { WebhookEndpointDto } from './webhook-endpoints.dto';

export const presentEndpoint = (endpoint: ListedEndpoint, waiting: number): WebhookEndpointDto => ({
  endpoint_id: endpoint.id,
  url: endpoint.url,
  events: endpoint.events,
  agent_ids: endpoint.agentIds,
  description: endpoint.description,
  enabled: endpoint.status === ENDPOINT_STATUS.ok || endpoint.status === ENDPOINT_STATUS.failing,
  status: endpoint.status,
  status_since: endpoint.statusSince,
  paused_reason: endpoint.pausedReason,
  last_delivered_at: endpoint.lastDeliveredAt,
  last_error: endpoint.lastError,
  waiting,
  created_at: endpoint.createdAt,
  updated_at: endpoint.updatedAt,
});
