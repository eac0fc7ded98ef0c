import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { join } from 'node:path';
import { getDestinationRules } from '../../do-not-call/destinations';
import { clientClosedRequest } from '../../../platform/http/client-abort-signal';
import { uploadsFolder } from '../../../platform/http/multipart';
import { ProcessPool } from '../../../platform/background/process-pool';
import { FairSemaphore } from '../../../platform/limits/fair-semaphore';
import { CONFIG, type Config } from '../../../config';
import { CsvProcess } from '../../../platform/csv/csv-process';
import type { ReadFile } from '../../../platform/csv/csv.protocol';
import type { LeftOut } from '../../../platform/csv/left-out-rows';
import { Database, type Transaction } from '../../../platform/database/database';
import { IdempotencyService } from '../../../accounts/idempotency/idempotency.service';
import { QuotasService } from '../../../accounts/workspaces/quotas.service';
import { LOG_EVENT } from '../plan/campaign-log-entry.entity';
import { CampaignLogRepository } from '../plan/campaign-log.repository';
import {
  CampaignRecipientsRepository,
  type StagedNumbers,
  type StagedRecipient,
} from '../recipients/campaign-recipients.repository';
import { CampaignZones } from '../plan/campaign-zones';
import type { Campaign } from '../plan/campaign.entity';
import { importsBusy, invalidRecipientsFile } from '../plan/campaigns.errors';
import { CampaignsRepository } from '../running/campaigns.repository';
import { ImportedFile, ImportProgress } from './import-progress';
import type { ReaderOptions, RecipientsSummary } from './recipient-rows';
import { type RowError, RowErrors } from '../../../platform/validation/row-errors';

/** Each import uses a connection of the pool for seconds, and calls need some too. */
const MAX_IMPORTS = 2;

export type NewCampaign = Pick<
  Campaign,
  | 'workspaceId'
  | 'agentId'
  | 'userId'
  | 'name'
  | 'scheduleTime'
  | 'timezone'
  | 'windows'
  | 'concurrency'
  | 'callsPerSecond'
  | 'retry'
  | 'webhookUrl'
  | 'expiresAt'
>;

export interface RecipientsFile
  extends Required<Pick<ReaderOptions, 'variableAliases' | 'leavesOut'>>, Pick<ReaderOptions, 'country'> {
  path: string;
}

interface FileInProgress extends RecipientsFile {
  abortSignal: AbortSignal;
  imported: ImportedFile;
}

interface StoreOptions<Result> {
  /** Makes the handler's result, which is stored as its response. */
  present: (campaign: Campaign) => Result;
  /** Aborted when the client closes the connection. */
  abortSignal: AbortSignal;
}

/** The content of a file, and the errors for which it would be refused. */
export interface CheckedFile {
  /** The number of rows below the header. */
  rows: number;
  numbers: StagedNumbers;
  errors: RowError[];
  leftOut: LeftOut | undefined;
  /** The names of the variables that have a value in the file. */
  variables: string[];
  first: StagedRecipient[];
}

/** Stores a campaign with all recipients of a file, or nothing. */
@Injectable()
export class RecipientImport implements OnApplicationShutdown {
  private readonly imports = new FairSemaphore({ permits: MAX_IMPORTS, permitsPerKind: MAX_IMPORTS });
  private readonly processes = new ProcessPool(
    () =>
      new CsvProcess<ReaderOptions, RecipientsSummary>({
        module: join(__dirname, 'recipients.main'),
        folder: uploadsFolder(this.config),
        invalidFile: invalidRecipientsFile,
      }),
  );

  constructor(
    private readonly campaigns: CampaignsRepository,
    private readonly recipients: CampaignRecipientsRepository,
    private readonly zones: CampaignZones,
    private readonly log: CampaignLogRepository,
    private readonly idempotency: IdempotencyService,
    private readonly quotas: QuotasService,
    private readonly database: Database,
    private readonly progress: ImportProgress,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * @throws 422 with the rows that have errors
   * @throws 403 if the workspace would have too many recipients to call
   * @throws 503 if the import could not start in time
   */
  async store<Result>(
    campaign: NewCampaign,
    file: RecipientsFile,
    { present, abortSignal }: StoreOptions<Result>,
  ): Promise<Result> {
    const release = await this.imports.acquireForRequest(campaign.workspaceId, {
      abortSignal,
      waitMs: this.config.CAMPAIGN_WAIT_MS,
      busy: importsBusy,
    });
    try {
      return await this.progress.during(campaign, (imported) =>
        this.idempotency.transaction(async (transaction) => {
          transaction.endOnAbort(abortSignal);
          return present(await this.load(campaign, { ...file, abortSignal, imported }, transaction));
        }),
      );
    } catch (error) {
      throw abortSignal.aborted ? clientClosedRequest() : error;
    } finally {
      release();
    }
  }

  /** Reads a file as {@link store} does, and stores nothing. @throws 403, 503 as {@link store} does */
  async check(workspaceId: string, file: RecipientsFile, abortSignal: AbortSignal): Promise<CheckedFile> {
    const release = await this.imports.acquireForRequest(workspaceId, {
      abortSignal,
      waitMs: this.config.CAMPAIGN_WAIT_MS,
      busy: importsBusy,
    });
    try {
      return await this.database.transaction(async (transaction) => {
        transaction.endOnAbort(abortSignal);
        const imported = new ImportedFile();
        const read = await this.stage({ ...file, abortSignal, imported }, transaction);
        const errors = new RowErrors();
        errors.add(...read.errors, ...(await this.repeatedIn(transaction)));
        const checked = {
          rows: read.rows,
          numbers: await this.recipients.countStaged(workspaceId, transaction),
          errors: errors.toArray(),
          leftOut: read.leftOut,
          variables: await this.recipients.stagedVariables(transaction),
          first: await this.recipients.firstStaged(workspaceId, transaction),
        };
        // The quota is checked last, because the check locks it.
        if (errors.isEmpty)
          await this.quotas.assertWithinQuota(workspaceId, 'recipients', transaction, read.count);
        return checked;
      });
    } catch (error) {
      throw abortSignal.aborted ? clientClosedRequest() : error;
    } finally {
      release();
    }
  }

  onApplicationShutdown(): void {
    this.processes.endAll();
  }

  private async load(
    { workspaceId, ...campaign }: NewCampaign,
    file: FileInProgress,
    transaction: Transaction,
  ): Promise<Campaign> {
    const read = await this.stage(file, transaction);
    const errors = new RowErrors();
    errors.add(...read.errors);
    if (errors.isEmpty) {
      const recipientCount = read.count;
      await this.quotas.assertWithinQuota(workspaceId, 'recipients', transaction, recipientCount);
      const counts = { recipientCount, countPending: recipientCount };
      const row = await this.campaigns.insert(workspaceId, { ...campaign, ...counts }, transaction);
      if (await this.recipients.insertStaged(row.id, transaction)) {
        await this.zones.add(row, read.summary.zones, transaction);
        await this.log.add(
          {
            campaignId: row.id,
            event: LOG_EVENT.created,
            text: describeCreation(recipientCount, read.leftOut),
          },
          transaction,
        );
        file.imported.rowsStored = recipientCount;
        return row;
      }
    }
    errors.add(...(await this.repeatedIn(transaction)));
    throw invalidRecipientsFile(errors.toString());
  }

  private async repeatedIn(transaction: Transaction): Promise<RowError[]> {
    const repeated = await this.recipients.findRepeated(transaction);
    return repeated.map(({ row, phoneNumber, firstRow }) => ({
      row,
      message: `${phoneNumber} is already in row ${firstRow}`,
      column: 'phone_number',
      value: phoneNumber,
    }));
  }

  /** Copies the recipients of the file into the stage. */
  private async stage(
    { path, variableAliases, country, leavesOut, abortSignal, imported }: FileInProgress,
    transaction: Transaction,
  ): Promise<ReadFile<RecipientsSummary>> {
    await this.recipients.createStage(transaction);
    const options = {
      ...{ variableAliases, country, leavesOut },
      destinations: getDestinationRules(this.config),
      maxRows: this.config.CAMPAIGN_MAX_ROWS,
    };
    const copy = {
      open: () => this.recipients.copyIntoStage(transaction),
      signal: abortSignal,
      onRead: (rows: number) => (imported.rowsRead = rows),
    };
    const read = await this.processes.use((process) => process.copy({ path, options }, copy));
    abortSignal.throwIfAborted();
    imported.rowsRead = read.count;
    return read;
  }
}

const describeCreation = (recipients: number, leftOut: LeftOut | undefined) =>
  leftOut === undefined || leftOut.count === 0
    ? `Created with ${recipients} recipients.`
    : `Created with ${recipients} recipients. Rows with errors that were left out: ${leftOut.count}.`;
