import { Injectable } from '@nestjs/common';
import { PHONE_NUMBER_TYPE } from '../../features/phone-numbers/phone-number.entity';
import { CallRollupsService } from '../../features/calls/counts/call-rollups.service';
import { Database, type Transaction } from '../../platform/database/database';
import { WorkspacesService } from '../../accounts/workspaces/workspaces.service';
import { AGENT_TYPE } from '../../features/agents/agent-types';
import { type AgentKey, demoAgents } from './demo-agents';
import type { DemoCall } from './demo-call';
import { demoCampaigns } from './demo-campaigns';
import { DemoDataRepository } from './demo-data.repository';
import { workspaceInUse } from './demo-data.errors';
import { callsByDay, DAYS } from './demo-days';
import { createDoNotCallEntries } from './demo-do-not-call';
import { createDeliveries, type DemoDelivery } from './demo-webhooks';
import { idAt, Random } from './random';

const DAY_MS = 86_400_000;

/** The time after the end of a call from which on nothing more is reported about it. */
const QUIET_MS = 15 * 60_000;

/** The share of the calls that campaigns make. */
const BY_CAMPAIGNS = 0.4;

/** The credits that the workspace has left. */
const SPARE = 1_000;

/** No server has this address (RFC 2606). */
const WEBHOOK_URL = 'https://hooks.example.com/parley';

export interface SeedOptions {
  /** The same seed makes the same calls. */
  seed: string;
  /** The approximate number of calls. */
  calls: number;
  publicUrl: string;
  /** The workspace was made for the data, so that it may look older than it is. */
  isNew: boolean;
}

export interface Seeded {
  calls: number;
  campaigns: number;
}

/** Fills a workspace with three weeks of calls, for people who want to see the console at work. */
@Injectable()
export class DemoDataService {
  constructor(
    private readonly rows: DemoDataRepository,
    private readonly database: Database,
    private readonly workspaces: WorkspacesService,
    private readonly rollups: CallRollupsService,
  ) {}

  /**
   * Adds all data in one transaction.
   * @throws 409 if the workspace has calls, so that nothing is seeded twice
   */
  async seed(workspaceId: string, options: SeedOptions): Promise<Seeded> {
    const userId = await this.workspaces.getOwner(workspaceId);
    const seeded = await this.database.transaction(async (transaction) => {
      if (!(await this.rows.lockEmpty(workspaceId, transaction))) throw workspaceInUse(workspaceId);
      return this.write({ workspaceId, userId }, options, transaction);
    });
    await this.rollups.rollUp({ workspaceId });
    return seeded;
  }

  private async write(
    owner: { workspaceId: string; userId: string },
    { seed, calls, publicUrl, isNew }: SeedOptions,
    transaction: Transaction,
  ): Promise<Seeded> {
    const { workspaceId } = owner;
    const today = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS);
    const until = new Date(Date.now() - QUIET_MS);
    const since = new Date(today.getTime() - DAYS * DAY_MS);
    const agents = demoAgents(owner, since);
    const numbers = createNumbers(seed + workspaceId);
    await this.rows.addAgents(
      Object.values(agents),
      Object.entries(numbers).map(([key, number]) => ({
        id: idAt(since),
        workspaceId,
        number,
        agentId: agents[key as AgentKey].agent.id,
        // The type that assigning the number would give it.
        type:
          agents[key as AgentKey].agent.type === AGENT_TYPE.outbound
            ? PHONE_NUMBER_TYPE.outbound
            : PHONE_NUMBER_TYPE.inbound,
        createdAt: since,
      })),
      transaction,
    );
    const random = new Random(`${seed} webhooks`);
    let count = 0;
    const listed: DemoCall[] = [];
    const sent: DemoDelivery[] = [];
    const add = async (made: DemoCall[]) => {
      await this.rows.addCalls(made, transaction);
      const deliveries = made.flatMap((call) => createDeliveries(call, random, until));
      await this.rows.addDeliveries(deliveries, transaction);
      sent.push(...deliveries);
      count += made.length;
      listed.push(...made.filter(({ analysis }) => analysis?.optOut));
    };
    const common = { agents, seed, today, publicUrl };
    const campaigns = demoCampaigns({ ...common, calls: calls * BY_CAMPAIGNS });
    for (const campaign of campaigns) {
      await this.rows.addCampaign(campaign, transaction);
      await add(campaign.calls);
    }
    const byDay = { ...common, numbers, until, webhookUrl: WEBHOOK_URL, calls: Math.max(0, calls - count) };
    for (const made of callsByDay(byDay)) await add(made);
    await this.rows.addDoNotCall(
      createDoNotCallEntries(workspaceId, listed, since, new Random(`${seed} list`)),
      transaction,
    );
    await this.rows.settle(workspaceId, since, SPARE, transaction);
    await this.rows.addAttempts(sent, transaction);
    if (isNew) await this.rows.backdate(workspaceId, since, transaction);
    return { calls: count, campaigns: campaigns.length };
  }
}

/** Fictional numbers, different for each workspace. */
function createNumbers(seed: string): Partial<Record<AgentKey, string>> {
  const random = new Random(seed);
  const number = () =>
    `+1${random.between([400, 899])}55501${String(random.between([0, 99])).padStart(2, '0')}`;
  const frontDesk = number();
  const renewals = number();
  return frontDesk === renewals ? { frontDesk } : { frontDesk, renewals };
}
