import type { Pool } from 'pg';
import { DISPATCH } from './accept.sql';
import type { Calls } from './calls';

const BATCH = 500;

export interface Campaign {
  campaignId: string;
  workspaceId: string;
  agentId: string;
}

interface Dispatched {
  id: string;
  version: number;
  toNumber: string;
}

/** Calls all recipients of a campaign: one statement for each batch, then its messages with their confirms. */
export async function dispatch(
  sql: Pool,
  calls: Calls,
  { campaignId, workspaceId, agentId }: Campaign,
): Promise<void> {
  for (let last = 0; ; last += BATCH) {
    const values = [campaignId, workspaceId, agentId, last, BATCH];
    const { rows } = await sql.query<Dispatched>({ name: 'dispatch', text: DISPATCH, values });
    if (rows.length === 0) return;
    await Promise.all(
      rows.map(({ version, ...call }) =>
        calls.publish({ ...call, workspaceId, agentId, request: {} }, version),
      ),
    );
  }
}
