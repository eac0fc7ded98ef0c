import { randomUUID } from 'node:crypto';
import { createCampaign, recipientsFile } from '../test/support/campaigns';
import { ApiClient } from '../test/support/client';
import type { Bench } from './benchmark';
import type { Side } from './side';

const INSERT_RECIPIENTS = `
  INSERT INTO recipients (campaign_id, row_number, phone_number)
  SELECT $1, n, '+1555' || 2000000 + n FROM generate_series(1, $2::integer) AS n`;

/** The first workspace and its agent. */
function findFirstAgent({ workspaces: [workspace] }: Bench, { startCalls: [request] }: Side) {
  const [, agentId] = /agents\/([^/]+)/.exec(request?.path ?? '') ?? [];
  if (!workspace || !agentId) throw new Error('There is no workspace.');
  return { ...workspace, agentId };
}

/** Uploads a file of recipients; the campaign starts at once. */
export async function startParleyCampaign(bench: Bench, side: Side, recipients: number): Promise<void> {
  const { apiKey, agentId } = findFirstAgent(bench, side);
  const api = new ApiClient(side.url, { 'x-api-key': apiKey });
  await createCampaign(api, agentId, recipientsFile(recipients));
}

export async function startBareCampaign(bench: Bench, side: Side, recipients: number): Promise<void> {
  const { workspaceId, agentId } = findFirstAgent(bench, side);
  const campaignId = randomUUID();
  await side.sql.query(INSERT_RECIPIENTS, [campaignId, recipients]);
  const { status } = await new ApiClient(side.url).post('/campaigns', { campaignId, workspaceId, agentId });
  if (status !== 200) throw new Error(`The campaign was answered with ${status}.`);
}
