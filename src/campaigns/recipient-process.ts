import { join } from 'node:path';
import { type Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Child, NoReplyError } from '../background/child-process';
import { invalidRecipientsFile } from './campaigns.errors';
import { END_OF_LINES, type RecipientsReply, type RecipientsTask } from './recipients.protocol';
import type { RowError } from '../validation/row-errors';

/** Ten times what a million rows take. */
const TIMEOUT_MS = 300_000;

const HEAP_MEGABYTES = 256;

/** Its objects are short-lived. With V8's default, memory grows with the file, and it takes as much time. */
const SEMI_SPACE_MEGABYTES = 4;

export interface CopyOptions {
  /** Starts a COPY, which is always finished or failed. */
  open: () => Writable;
  /** Kills the process when it is aborted. */
  signal: AbortSignal;
  /** Gets the number of recipients so far. */
  onRead: (recipients: number) => void;
}

export interface ReadRecipients {
  recipients: number;
  errors: RowError[];
  /** '' for those without one. */
  zones: string[];
  /** Below the header, as far as the file was read. */
  rows: number;
}

/**
 * A process that reads one recipients file at a time and writes lines of COPY. The server passes these on as bytes.
 */
export class RecipientProcess {
  private readonly child = new Child<RecipientsTask, RecipientsReply>(join(__dirname, 'recipients.main'), {
    heapMegabytes: HEAP_MEGABYTES,
    semiSpaceMegabytes: SEMI_SPACE_MEGABYTES,
    hasOutput: true,
    isPatient: true,
  });

  get isAlive(): boolean {
    return this.child.isAlive;
  }

  end(): void {
    this.child.end();
  }

  /**
   * Copies the recipients of a file.
   * @throws 422 if the file takes too long or too much memory
   */
  async copy(task: RecipientsTask, { open, signal, onRead }: CopyOptions): Promise<ReadRecipients> {
    const { output } = this.child;
    if (!output) throw new Error('The process that reads recipients files could not be started.');
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const failed = new AbortController();
    const stop = AbortSignal.any([signal, timeout, failed.signal]);
    const reading = this.read(task, onRead).catch((error: unknown) => {
      // There may be no end of its lines.
      failed.abort(error);
      throw error;
    });
    try {
      const [read] = await Promise.all([reading, pipeline(linesOf(output), open(), { signal: stop })]);
      return read;
    } catch (error) {
      // What it still writes would be read as lines of the next file.
      this.end();
      if (timeout.aborted) throw timedOut();
      throw failed.signal.aborted ? failed.signal.reason : error;
    }
  }

  private async read(task: RecipientsTask, onRead: CopyOptions['onRead']): Promise<ReadRecipients> {
    const reply = await this.child.ask(task, onRead).catch((error: unknown) => {
      throw error instanceof NoReplyError ? failureOf(error) : error;
    });
    if ('failure' in reply) throw new Error(`A recipients file could not be read: ${reply.failure}`);
    return reply;
  }
}

/** The output of a process, up to the end of one file's lines or the end of the process. */
function linesOf(output: Readable): Readable {
  const lines = new Transform({
    transform(chunk: Buffer, _, done) {
      if (chunk.at(-1) !== END_OF_LINES) return done(null, chunk);
      output.unpipe(lines);
      this.push(chunk.subarray(0, -1));
      this.end();
      done();
    },
  });
  return output.pipe(lines);
}

const timedOut = () =>
  invalidRecipientsFile(`It cannot be read and stored within ${TIMEOUT_MS / 1_000} seconds.`);

const failureOf = ({ tookTooMuchMemory, message }: NoReplyError) =>
  tookTooMuchMemory
    ? invalidRecipientsFile('It takes too much memory to read.')
    : new Error(`The process that read a recipients file ${message}.`);
