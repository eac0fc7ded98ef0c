import { randomUUID } from 'node:crypto';
import { createCampaign, recipientsFile } from '../test/support/campaigns';
import { ApiClient } from '../test/support/client';
import type { Bench } from './benchmark';
import type { MeasuredServer } from './measured-server';

const INSERT_RECIPIENTS = `
  INSERT INTO recipients (campaign_id, row_number, phone_number)
  SELECT $1, n, '+1555' || 2000000 + n FROM generate_series(1, $2::integer) AS n`;

/** The first workspace and its agent. */
function findFirstAgent({ workspaces: [workspace] }: Bench, { startCalls: [request] }: MeasuredServer) {
  const [, agentId] = /agents\/([^/]+)/.exec(request?.path ?? '') ?? [];
  if (!workspace || !agentId) throw new Error('There is no workspace.');
  return { ...workspace, agentId };
}

/** Uploads a file of recipients; the campaign starts at once. */
export async function startParleyCampaign(
  bench: Bench,
  server: MeasuredServer,
  recipients: number,
): Promise<void> {
  const { apiKey, agentId } = findFirstAgent(bench, server);
  const api = new ApiClient(server.url, { 'x-api-key': apiKey });
  await createCampaign(api, agentId, recipientsFile(recipients));
}

export async function startBareCampaign(
  bench: Bench,
  server: MeasuredServer,
  recipients: number,
): Promise<void> {
  const { workspaceId, agentId } = findFirstAgent(bench, server);
  const campaignId = randomUUID();
  await server.sql.query(INSERT_RECIPIENTS, [campaignId, recipients]);
  const { status } = await new ApiClient(server.url).post('/campaigns', { campaignId, workspaceId, agentId });
  if (status !== 200) throw new Error(`The campaign was answered with ${status}.`);
}
