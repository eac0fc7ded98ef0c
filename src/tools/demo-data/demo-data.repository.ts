import { Injectable } from '@nestjs/common';
import type { EntityTarget, ObjectLiteral } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { AgentVersion } from '../../features/agents/agent-version.entity';
import { Agent } from '../../features/agents/agent.entity';
import { CallAnalysis } from '../../features/reports/runtime-reports/call-analysis.entity';
import { CallRecording } from '../../features/reports/runtime-reports/call-recording.entity';
import { CallToMeasure } from '../../features/calls/model/call-to-measure.entity';
import { CallTranscript } from '../../features/reports/runtime-reports/call-transcript.entity';
import { TranscriptTurn } from '../../features/reports/runtime-reports/transcript-turn.entity';
import { Conversation } from '../../features/calls/model/conversation.entity';
import { CampaignLogEntry } from '../../features/campaigns/plan/campaign-log-entry.entity';
import { CampaignRecipient } from '../../features/campaigns/recipients/campaign-recipient.entity';
import { RecipientSearchBlock } from '../../features/campaigns/recipients/recipient-search-block.entity';
import { CampaignZone } from '../../features/campaigns/plan/campaign-zone.entity';
import { Campaign } from '../../features/campaigns/plan/campaign.entity';
import type { Transaction } from '../../platform/database/database';
import { DoNotCallEntry } from '../../features/do-not-call/do-not-call-entry.entity';
import { PhoneNumber } from '../../features/phone-numbers/phone-number.entity';
import { WebhookAttempt } from '../../features/webhooks/webhook-attempt.entity';
import { WebhookDelivery } from '../../features/webhooks/webhook-delivery.entity';
import { WebhookEvent } from '../../features/webhooks/webhook-event.entity';
import type { DemoAgent } from './demo-agents';
import type { DemoCall } from './demo-call';
import { lockWorkspace } from '../../accounts/workspaces/lock-workspace';
import { createSearchBlocks } from './demo-recipients';
import type { DemoCampaign } from './demo-campaigns';
import {
  ADD_AGENT_TOTALS,
  ADD_LEDGER,
  BACKDATE_WORKSPACE,
  FILL_DELIVERIES,
  HAS_CALLS,
  LOCK_WORKSPACE,
} from './demo-data.sql';
import type { DemoDelivery } from './demo-webhooks';

/** A statement has 65,535 parameters at most. */
const BATCH = 500;

async function insert<Entity extends ObjectLiteral>(
  { manager }: Transaction,
  entity: EntityTarget<Entity>,
  rows: object[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = rows.slice(start, start + BATCH) as QueryDeepPartialEntity<Entity>[];
    await manager.createQueryBuilder().insert().into(entity).values(batch).updateEntity(false).execute();
  }
}

/** Writes what a workspace would have after weeks of calls. */
@Injectable()
export class DemoDataRepository {
  /**
   * Prevents new calls until the transaction ends.
   * @returns whether the workspace has no calls
   */
  async lockEmpty(workspaceId: string, transaction: Transaction): Promise<boolean> {
    await lockWorkspace(workspaceId, transaction);
    await transaction.query(LOCK_WORKSPACE, { workspaceId });
    const [found] = await transaction.query(HAS_CALLS, { workspaceId });
    return found?.hasCalls === false;
  }

  async addAgents(agents: DemoAgent[], numbers: object[], transaction: Transaction): Promise<void> {
    await insert(
      transaction,
      Agent,
      agents.map(({ agent }) => agent),
    );
    await insert(
      transaction,
      AgentVersion,
      agents.flatMap(({ versions }) => versions),
    );
    // Another workspace may have the number; then the agent has none.
    await transaction.manager
      .createQueryBuilder()
      .insert()
      .into(PhoneNumber)
      .values(numbers)
      .orIgnore()
      .execute();
  }

  async addCalls(calls: DemoCall[], transaction: Transaction): Promise<void> {
    const transcribed = calls.flatMap(({ turns }) => (turns ? [turns] : []));
    const present = <Row>(row: Row | null) => (row === null ? [] : [row]);
    await insert(
      transaction,
      Conversation,
      calls.map(({ call }) => call),
    );
    await insert(
      transaction,
      CallTranscript,
      transcribed.map((turns) => ({ conversationId: turns[0]?.conversationId, turns: turns.length })),
    );
    await insert(transaction, TranscriptTurn, transcribed.flat());
    await insert(
      transaction,
      CallRecording,
      calls.flatMap(({ recording }) => present(recording)),
    );
    await insert(
      transaction,
      CallAnalysis,
      calls.flatMap(({ analysis }) => present(analysis)),
    );
    await insert(
      transaction,
      CallToMeasure,
      transcribed.map((turns) => ({ conversationId: turns[0]?.conversationId })),
    );
  }

  async addCampaign({ campaign, recipients, log }: DemoCampaign, transaction: Transaction): Promise<void> {
    await insert(transaction, Campaign, [campaign]);
    await insert(transaction, CampaignRecipient, recipients);
    await insert(transaction, RecipientSearchBlock, createSearchBlocks(campaign.id, recipients));
    // The stored window is over, so that the runner computes the next one.
    const times = { opensAt: campaign.createdAt, closesAt: campaign.updatedAt };
    await insert(transaction, CampaignZone, [{ campaignId: campaign.id, timezone: '', ...times }]);
    await insert(transaction, CampaignLogEntry, log);
  }

  async addDeliveries(deliveries: DemoDelivery[], transaction: Transaction): Promise<void> {
    const rows = deliveries.map(({ delivery }) => delivery);
    const events = rows.map(({ id, workspaceId, conversationId, type, createdAt }) => ({
      ...{ id, workspaceId, conversationId, type, createdAt },
      data: {},
    }));
    await insert(transaction, WebhookEvent, events);
    await insert(
      transaction,
      WebhookDelivery,
      rows.map((row) => ({ ...row, eventId: row.id })),
    );
  }

  /** Adds the attempts of deliveries that are filled: a change of its data makes a delivery forget the answers. */
  async addAttempts(deliveries: DemoDelivery[], transaction: Transaction): Promise<void> {
    await insert(
      transaction,
      WebhookAttempt,
      deliveries.flatMap(({ attempts }) => attempts),
    );
  }

  async addDoNotCall(entries: object[], transaction: Transaction): Promise<void> {
    await transaction.manager
      .createQueryBuilder()
      .insert()
      .into(DoNotCallEntry)
      .values(entries)
      .orIgnore()
      .execute();
  }

  /**
   * Writes the sums, the ledger and the balance, which follow from the calls.
   * @param spare the credits that are left
   */
  async settle(workspaceId: string, since: Date, spare: number, transaction: Transaction): Promise<void> {
    await transaction.query(ADD_AGENT_TOTALS, { workspaceId });
    await transaction.query(ADD_LEDGER, { workspaceId, since, spare });
    await transaction.query(FILL_DELIVERIES, { workspaceId });
  }

  async backdate(workspaceId: string, since: Date, transaction: Transaction): Promise<void> {
    await transaction.query(BACKDATE_WORKSPACE, { workspaceId, since });
  }
}
