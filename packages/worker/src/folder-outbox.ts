import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FolderLock, isAbandoned, RENEWAL_MS } from './folder-lock';
import type { Logger } from './logger';
import type { KeptReport, Outbox } from './outbox';
import { readReportLog, ReportLog } from './report-log';

const PART = /^part-/;
const LOG_FILE = 'reports.log';
/** The server accepts no report that is older. */
const LONGEST_AGE_MS = 7 * 86_400_000;

/**
 * Keeps reports in a folder that several processes may use. Each process writes to a part of its own, and takes over the
 * parts of processes that have ended. What is taken over twice is sent twice, which does no harm.
 */
export class FolderOutbox implements Outbox {
  private part: { lock: FolderLock; log: ReportLog<KeptReport> };
  private readonly kept = new Set<KeptReport>();
  /** The parts of ended processes, with the reports that are not confirmed. */
  private readonly adopted = new Map<string, { lock: FolderLock; left: Set<KeptReport> }>();
  private readonly renewal: NodeJS.Timeout;
  private isBroken = false;

  /** @throws if the folder cannot be written */
  constructor(
    private readonly folder: string,
    private readonly logger: Logger,
  ) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.part = this.newPart();
    this.renewal = setInterval(() => this.renew(), RENEWAL_MS);
    this.renewal.unref();
  }

  adopt(): KeptReport[] {
    const names = readdirSync(this.folder).filter((name) => PART.test(name));
    return names.flatMap((name) => this.takeOver(join(this.folder, name)));
  }

  keep(report: KeptReport): void {
    this.kept.add(report);
    this.write(() => this.part.log.add(report));
  }

  remove(reports: KeptReport[]): void {
    for (const report of reports) this.kept.delete(report);
    this.write(() => this.part.log.remove(reports));
    for (const [path, { left }] of this.adopted) {
      for (const report of reports) left.delete(report);
      if (left.size > 0) continue;
      this.adopted.delete(path);
      rmSync(path, { recursive: true, force: true });
    }
  }

  close(): void {
    clearInterval(this.renewal);
    this.part.log.close();
    this.write(() => {
      if (this.kept.size === 0) rmSync(this.part.lock.folder, { recursive: true, force: true });
      else this.part.lock.release();
      for (const { lock } of this.adopted.values()) lock.release();
    });
  }

  private newPart() {
    const path = join(this.folder, `part-${randomUUID()}`);
    mkdirSync(path, { mode: 0o700 });
    const lock = new FolderLock(path);
    lock.take();
    return { lock, log: new ReportLog<KeptReport>(join(path, LOG_FILE)) };
  }

  private takeOver(path: string): KeptReport[] {
    if (path === this.part.lock.folder || !isAbandoned(path)) return [];
    const taken = join(this.folder, `part-${randomUUID()}`);
    const lock = new FolderLock(taken);
    try {
      // Several processes may try it, and one succeeds.
      renameSync(path, taken);
      lock.take();
      const file = join(taken, LOG_FILE);
      const { entries, torn } = existsSync(file) ? readReportLog<KeptReport>(file) : { entries: [], torn: 0 };
      if (torn > 0) {
        this.logger.warn(`The outbox had ${torn} reports that an earlier process did not write completely.`);
      }
      const left = entries.filter(({ keptAt }) => Date.now() - keptAt < LONGEST_AGE_MS);
      if (left.length === 0) rmSync(taken, { recursive: true, force: true });
      else this.adopted.set(taken, { lock, left: new Set(left) });
      return left;
    } catch (error) {
      this.logger.debug(`A part of the outbox was not taken over: ${(error as Error).message}`);
      return [];
    }
  }

  /** A process that stood still for a minute may find its part taken over by another. */
  private renew(): void {
    this.write(() => {
      for (const { lock } of this.adopted.values()) lock.renew();
      if (this.part.lock.renew()) return;
      this.part.log.close();
      this.part = this.newPart();
      for (const report of this.kept) this.part.log.add(report);
    });
  }

  /** A full disk must not end calls: the report stays in memory. */
  private write(change: () => void): void {
    try {
      change();
      this.isBroken = false;
    } catch (error) {
      if (!this.isBroken) {
        this.logger.error(
          `The outbox cannot be written, so reports are in memory only: ${(error as Error).message}`,
        );
      }
      this.isBroken = true;
    }
  }
}
