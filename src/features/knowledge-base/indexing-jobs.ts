import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { JobHelpers } from 'graphile-worker';
import { JobRunner } from '../../platform/background/job-runner';
import { addJob } from '../../platform/database/add-job';
import { Database, type Queryable, type Transaction } from '../../platform/database/database';
import { FairSemaphore } from '../../platform/limits/fair-semaphore';
import { MAX_RUNS, SourceIndexer } from './source-indexer';

const INDEX_SOURCE = 'knowledge-base.index-source';

/** This kind of job has its own job workers, because a slow link occupies one. */
const CONCURRENCY = 4;

/** With this limit, the documents of a workspace do not wait for large ones of another. */
const WORKSPACE_CONCURRENCY = 1;

const POSTPONE_SECONDS = 1;

interface IndexingJob {
  workspaceId: string;
  sourceId: string;
  /** The attempts of the jobs that were postponed to this one. */
  attempts: number;
}

/** The jobs that index sources. */
@Injectable()
export class IndexingJobs implements OnModuleInit {
  private readonly semaphore = new FairSemaphore({
    permits: CONCURRENCY,
    permitsPerKind: CONCURRENCY,
    permitsPerWorkspace: WORKSPACE_CONCURRENCY,
  });

  constructor(
    private readonly jobs: JobRunner,
    private readonly database: Database,
    private readonly indexer: SourceIndexer,
  ) {}

  onModuleInit(): void {
    this.jobs.register(
      { [INDEX_SOURCE]: (job: IndexingJob, { job: { attempts } }: JobHelpers) => this.run(job, attempts) },
      { concurrency: CONCURRENCY, skip: () => this.semaphore.saturated('job') },
    );
  }

  /** Adds the job of a source, in the transaction that adds the source. */
  schedule(workspaceId: string, sourceId: string, transaction: Transaction): Promise<void> {
    return this.add({ workspaceId, sourceId, attempts: 0 }, 0, transaction);
  }

  private add(job: IndexingJob, delaySeconds: number, queryable: Queryable): Promise<void> {
    return addJob(
      {
        name: INDEX_SOURCE,
        payload: job,
        flags: [job.workspaceId],
        delaySeconds,
        // One more attempt marks the source as failed if the server was killed during the last run.
        maxAttempts: MAX_RUNS + 1,
      },
      queryable,
    );
  }

  private async run(job: IndexingJob, attempts: number): Promise<void> {
    const runNumber = job.attempts + attempts;
    // Job workers skip the jobs of a saturated workspace, but several of them may take one at the same moment.
    const release = this.semaphore.tryAcquire('job', job.workspaceId);
    if (!release) return this.add({ ...job, attempts: runNumber - 1 }, POSTPONE_SECONDS, this.database);
    try {
      await this.indexer.index(job.sourceId, runNumber);
    } finally {
      release();
    }
  }
}
