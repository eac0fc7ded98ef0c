import { CANCEL_QUEUED } from '../calls/end-call.sql';
import type { SqlRunner } from '../database/sql';
import type { Campaign } from './campaign.entity';
import { FAIL_WITHOUT_AGENT, LOCK_UNCLAIMED, LOCK_WITHOUT_AGENT } from './fail-without-agent.sql';

/**
 * Within a transaction: fails a campaign whose agent was deleted, and cancels those of its calls that no runtime has
 * claimed.
 * @returns whether it has failed now
 */
export async function failWithoutAgent(sql: SqlRunner, id: string): Promise<boolean> {
  const [campaign] = await sql.run<Pick<Campaign, 'workspaceId' | 'agentId'>>(LOCK_WITHOUT_AGENT, [id]);
  if (!campaign) return false;
  const calls = await sql.run<{ id: string }>(LOCK_UNCLAIMED, [id]);
  for (const call of calls) await sql.run(CANCEL_QUEUED, [campaign.workspaceId, campaign.agentId, call.id]);
  const [failed] = await sql.run(FAIL_WITHOUT_AGENT, [id, calls.length > 0]);
  return failed !== undefined;
}
