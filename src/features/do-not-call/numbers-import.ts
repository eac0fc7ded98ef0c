import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { join } from 'node:path';
import { FairSemaphore } from '../../platform/limits/fair-semaphore';
import { ProcessPool } from '../../platform/background/process-pool';
import { CONFIG, type Config } from '../../config';
import { CsvProcess } from '../../platform/csv/csv-process';
import type { LeftOut } from '../../platform/csv/left-out-rows';
import { Database } from '../../platform/database/database';
import { clientClosedRequest } from '../../platform/http/client-abort-signal';
import { uploadsFolder } from '../../platform/http/multipart';
import { RowErrors } from '../../platform/validation/row-errors';
import { QuotasService } from '../../accounts/workspaces/quotas.service';
import { importsBusy, invalidNumbersFile } from './do-not-call.errors';
import type { NumbersOptions } from './number-rows';
import { NumbersStageRepository, type StagedNumbers } from './numbers-stage.repository';

/** The time that a file waits for other files of its workspace, and for its turn among the others. */
export const IMPORT_WAIT_MS = 10_000;

/** Each import uses a process and a connection of the pool. A workspace has one import at most. */
const MAX_IMPORTS = 2;

export interface NumbersFile extends NumbersOptions {
  path: string;
}

export interface ImportedNumbers extends StagedNumbers {
  /** The rows that were left out; undefined if a row with an error refuses the file. */
  leftOut: LeftOut | undefined;
}

/** Puts the numbers of a file on the list of a workspace, in one transaction. */
@Injectable()
export class NumbersImport implements OnApplicationShutdown {
  private readonly imports = new FairSemaphore({ permits: MAX_IMPORTS, permitsPerKind: MAX_IMPORTS });
  private readonly processes = new ProcessPool(
    () =>
      new CsvProcess<NumbersOptions, null>({
        module: join(__dirname, 'numbers.main'),
        folder: uploadsFolder(this.config),
        invalidFile: invalidNumbersFile,
      }),
  );

  constructor(
    private readonly stage: NumbersStageRepository,
    private readonly database: Database,
    private readonly quotas: QuotasService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * @throws 422 with the rows that have errors
   * @throws 403 if the list would be too long
   * @throws 503 if other files take too long
   */
  async store(
    workspaceId: string,
    { path, leavesOut }: NumbersFile,
    abortSignal: AbortSignal,
  ): Promise<ImportedNumbers> {
    const options = { abortSignal, waitMs: IMPORT_WAIT_MS, busy: importsBusy };
    const release = await this.imports.acquireForRequest(workspaceId, options);
    try {
      return await this.database.transaction(async (transaction) => {
        transaction.endOnAbort(abortSignal);
        await this.stage.create(transaction);
        const copy = { open: () => this.stage.copyInto(transaction), signal: abortSignal };
        const read = await this.processes.use((process) =>
          process.copy({ path, options: { leavesOut } }, copy),
        );
        const { leftOut } = read;
        const errors = new RowErrors();
        errors.add(...read.errors);
        // Without a row that can be used, the errors of the rows are those of the file.
        if (read.count === 0 && leftOut) errors.add(...leftOut.errors);
        if (!errors.isEmpty) throw invalidNumbersFile(errors.toString());
        // The second of two equal files must find the numbers of the first.
        await this.quotas.lock(workspaceId, 'do_not_call_entries', transaction);
        const staged = await this.stage.find(workspaceId, transaction);
        const added = staged.count - staged.listed;
        await this.quotas.assertWithinQuota(workspaceId, 'do_not_call_entries', transaction, added);
        await this.stage.list(workspaceId, transaction);
        return { ...staged, leftOut };
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
}
