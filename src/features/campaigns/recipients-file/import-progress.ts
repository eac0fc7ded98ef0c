import { Injectable, Logger } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Metrics } from '../../../platform/monitoring/metrics';
import type { Campaign } from '../plan/campaign.entity';

/** The time between two log lines about one import. */
const LOG_INTERVAL_MS = 2_000;

/** One import that is in progress. */
export class ImportedFile {
  rowsRead = 0;
  /** The number of stored rows. They are stored by one statement, so it is 0 or all. */
  rowsStored = 0;
}

/** Shows imports while they are in progress: in the log, if they take long, and in the metrics. */
@Injectable()
export class ImportProgress {
  private readonly logger = new Logger('Recipients');
  private readonly files = new Set<ImportedFile>();
  private readonly imported: Counter;

  constructor({ registry }: Metrics) {
    const { files } = this;
    const registers = [registry];
    new Gauge({
      name: 'recipient_imports_in_progress',
      help: 'Recipients files that are being imported.',
      registers,
      collect() {
        this.set(files.size);
      },
    });
    new Gauge({
      name: 'recipients_being_imported',
      help: 'Recipients that were read from the files that are being imported.',
      registers,
      collect() {
        this.set([...files].reduce((sum, { rowsRead }) => sum + rowsRead, 0));
      },
    });
    this.imported = new Counter({
      name: 'recipients_imported_total',
      help: 'Recipients that were imported.',
      registers,
    });
  }

  /** Shows an import until `work` ends. */
  async during<Result>(
    { workspaceId }: Pick<Campaign, 'workspaceId'>,
    work: (file: ImportedFile) => Promise<Result>,
  ): Promise<Result> {
    const file = new ImportedFile();
    const startedAt = performance.now();
    const log = (message: string) => {
      const seconds = Math.round((performance.now() - startedAt) / 1_000);
      this.logger.log({ workspaceId, ...file, seconds }, message);
    };
    const timer = setInterval(() => log('Recipients are being imported'), LOG_INTERVAL_MS).unref();
    this.files.add(file);
    try {
      const result = await work(file);
      this.imported.inc(file.rowsStored);
      if (performance.now() - startedAt > LOG_INTERVAL_MS) log('Recipients were imported');
      return result;
    } finally {
      clearInterval(timer);
      this.files.delete(file);
    }
  }
}
