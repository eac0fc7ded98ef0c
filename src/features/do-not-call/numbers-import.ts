import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { join } from 'node:path';
import { FairSemaphore } from '../../platform/limits/fair-semaphore';
import { ProcessPool } from '../../platform/background/process-pool';
import { CONFIG, type Config } from '../../config';
import { CsvProcess } from '../../platform/csv/csv-process';
import { Database } from '../../platform/database/database';
import { clientClosedRequest } from '../../platform/http/client-abort-signal';
import { uploadsFolder } from '../../platform/http/multipart';
import { RowErrors } from '../../platform/validation/row-errors';
import { QuotasService } from '../../accounts/workspaces/quotas.service';
import { importsBusy, invalidNumbersFile } from './do-not-call.errors';
import { NumbersStageRepository, type StagedNumbers } from './numbers-stage.repository';

/** The time that a file waits for other files of its workspace, and for its turn among the others. */
export const IMPORT_WAIT_MS = 10_000;

/** Each import uses a process and a connection of the pool. A workspace has one import at most. */
const MAX_IMPORTS = 2;

/** Puts all numbers of a file on the list of a workspace, or none. */
@Injectable()
export class NumbersImport implements OnApplicationShutdown {
  private readonly imports = new FairSemaphore({ permits: MAX_IMPORTS, permitsPerKind: MAX_IMPORTS });
  private readonly processes = new ProcessPool(
    () =>
      new CsvProcess<object, null>({
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
  async store(workspaceId: string, path: string, abortSignal: AbortSignal): Promise<StagedNumbers> {
    const options = { abortSignal, waitMs: IMPORT_WAIT_MS, busy: importsBusy };
    const release = await this.imports.acquireForRequest(workspaceId, options);
    try {
      return await this.database.transaction(async (transaction) => {
        transaction.endOnAbort(abortSignal);
        await this.stage.create(transaction);
        const copy = { open: () => this.stage.copyInto(transaction), signal: abortSignal };
        const read = await this.processes.use((process) => process.copy({ path, options: {} }, copy));
        const errors = new RowErrors();
        errors.add(...read.errors);
        if (!errors.isEmpty) throw invalidNumbersFile(errors.toString());
        const staged = await this.stage.find(transaction);
        await this.quotas.assertWithinQuota(workspaceId, 'do_not_call_entries', transaction, staged.count);
        await this.stage.list(workspaceId, transaction);
        return staged;
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
