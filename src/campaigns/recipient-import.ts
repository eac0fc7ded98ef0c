import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { from as copyFrom } from 'pg-copy-streams';
import { destinationRulesOf } from '../calls/destinations';
import { clientClosedRequest } from '../http/client-abort-signal';
import { ProcessPool } from '../background/process-pool';
import { FairSemaphore } from '../background/fair-semaphore';
import { CONFIG, type Config } from '../config';
import type { Transaction } from '../database/database';
import { endOnAbort } from '../database/fair-pool';
import { IdempotencyService } from '../idempotency/idempotency.service';
import { QuotasService } from '../workspaces/quotas.service';
import { Campaign } from './campaign.entity';
import { importsBusy, invalidRecipientsFile } from './campaigns.errors';
import { COPY_INTO_STAGE, CREATE_STAGE, FIND_REPEATED, INSERT_RECIPIENTS } from './recipient-import.sql';
import { RecipientProcess } from './recipient-process';
import { RowErrors } from './row-errors';

/** Each takes a connection of the pool for seconds, and calls need some too. */
const IMPORTS_AT_ONCE = 2;

/** A million rows take longer than other statements may. */
const STATEMENT_TIMEOUT = '10min';

export type NewCampaign = Pick<
  Campaign,
  'id' | 'workspaceId' | 'agentId' | 'userId' | 'name' | 'status' | 'scheduleTime'
>;

export interface GivenFile {
  path: string;
  /** How the agent spells its variables. */
  spellings: string[];
  /** Aborted when nobody waits for the answer any more. */
  gone: AbortSignal;
}

/** Stores a campaign with the recipients of a file, or nothing of it. */
@Injectable()
export class RecipientImport implements OnApplicationShutdown {
  private readonly imports = new FairSemaphore(IMPORTS_AT_ONCE, IMPORTS_AT_ONCE);
  private readonly processes = new ProcessPool(() => new RecipientProcess());

  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly quotas: QuotasService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * @param present makes the handler's result, which is stored as its response
   * @throws 422 that names the rows at fault
   * @throws 403 where the workspace has too many recipients to call
   * @throws 503 where it was not the workspace's turn in time
   */
  async store<Result>(
    campaign: NewCampaign,
    file: GivenFile,
    present: (campaign: Campaign) => Result,
  ): Promise<Result> {
    const { workspaceId } = campaign;
    const { gone } = file;
    const release = await this.imports.acquireForRequest(workspaceId, {
      abortSignal: gone,
      waitMs: this.config.CAMPAIGN_WAIT_MS,
      busy: importsBusy,
    });
    try {
      return await this.idempotency.transaction(async (transaction) => {
        endOnAbort(transaction.client, gone);
        return present(await this.load(transaction, campaign, file));
      });
    } catch (error) {
      throw gone.aborted ? clientClosedRequest() : error;
    } finally {
      release();
    }
  }

  onApplicationShutdown(): void {
    this.processes.endAll();
  }

  private async load(
    transaction: Transaction,
    values: NewCampaign,
    { path, spellings, gone }: GivenFile,
  ): Promise<Campaign> {
    const { manager, client } = transaction;
    await client.query(`SET LOCAL statement_timeout = '${STATEMENT_TIMEOUT}'`);
    await client.query(CREATE_STAGE);
    const options = {
      spellings,
      destinations: destinationRulesOf(this.config),
      maxRows: this.config.CAMPAIGN_MAX_ROWS,
    };
    const openStage = () => client.query(copyFrom(COPY_INTO_STAGE));
    const read = await this.processes.use((process) => process.copy({ path, options }, openStage, gone));
    const faults = new RowErrors();
    faults.add(...read.faults);
    gone.throwIfAborted();
    if (faults.isEmpty) {
      await this.quotas.assertRoom(values.workspaceId, 'recipients', transaction, read.recipients);
      const row = { ...values, recipientCount: read.recipients };
      const { generatedMaps } = await manager.insert(Campaign, row);
      const { rowCount } = await client.query({ ...INSERT_RECIPIENTS, values: [row.id] });
      if (rowCount === read.recipients) return manager.create(Campaign, { ...row, ...generatedMaps[0] });
    }
    const { rows } = await client.query<{ row: number; phoneNumber: string; first: number }>(FIND_REPEATED);
    faults.add(
      ...rows.map(({ row, phoneNumber, first }) => ({
        row,
        message: `${phoneNumber} stands in row ${first} already`,
      })),
    );
    throw invalidRecipientsFile(faults.toString());
  }
}
