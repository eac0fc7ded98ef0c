import { type Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Child, NoReplyError } from '../background/child-process';
import { type CsvReply, type CsvTask, END_OF_LINES, type ReadFile } from './csv.protocol';

/** The time is ten times what a million rows take. */
const TIMEOUT_MS = 300_000;

const TIMED_OUT = `It cannot be read and stored within ${TIMEOUT_MS / 1_000} seconds.`;

const HEAP_MEGABYTES = 256;

/** The objects of the process are short-lived. With V8's default, memory grows with the file, and it takes as much time. */
const SEMI_SPACE_MEGABYTES = 4;

export interface CopyOptions {
  /** Starts a COPY, which the process always finishes or fails. */
  open: () => Writable;
  /** Kills the process when it is aborted. */
  signal: AbortSignal;
  /** Gets the number of lines so far. */
  onRead?: (lines: number) => void;
}

interface ProcessOptions {
  /** The path, without extension, of the module that invokes `serveCsvFiles`. */
  module: string;
  /** The folder of the files. The process can read no other folder. */
  folder: string;
  /** Makes the error of a file that cannot be read. */
  invalidFile: (details: string) => Error;
}

/** A process that reads one CSV file at a time and writes lines of COPY. The server passes these on as bytes. */
export class CsvProcess<Options extends object, Summary> {
  private readonly child: Child<CsvTask<Options>, CsvReply<Summary>>;
  private readonly invalidFile: ProcessOptions['invalidFile'];

  constructor({ module, folder, invalidFile }: ProcessOptions) {
    this.invalidFile = invalidFile;
    this.child = new Child(module, {
      heapMegabytes: HEAP_MEGABYTES,
      semiSpaceMegabytes: SEMI_SPACE_MEGABYTES,
      hasOutput: true,
      isPatient: true,
      readableFolders: [folder],
    });
  }

  get isAlive(): boolean {
    return this.child.isAlive;
  }

  end(): void {
    this.child.end();
  }

  /**
   * Copies the lines of a file.
   * @throws the error of an invalid file if it takes too long or too much memory
   */
  async copy(task: CsvTask<Options>, { open, signal, onRead }: CopyOptions): Promise<ReadFile<Summary>> {
    const { output } = this.child;
    if (!output) throw new Error('The process that reads CSV files could not be started.');
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const failed = new AbortController();
    const stop = AbortSignal.any([signal, timeout, failed.signal]);
    const reading = this.read(task, onRead).catch((error: unknown) => {
      // The lines may have no end.
      failed.abort(error);
      throw error;
    });
    try {
      const [read] = await Promise.all([reading, pipeline(readLines(output), open(), { signal: stop })]);
      return read;
    } catch (error) {
      // Any further output would be read as lines of the next file.
      this.end();
      if (timeout.aborted) throw this.invalidFile(TIMED_OUT);
      throw failed.signal.aborted ? failed.signal.reason : error;
    }
  }

  private async read(task: CsvTask<Options>, onRead: CopyOptions['onRead']): Promise<ReadFile<Summary>> {
    const reply = await this.child.run(task, onRead).catch((error: unknown) => {
      throw error instanceof NoReplyError ? this.toError(error) : error;
    });
    if ('failure' in reply) throw new Error(`A CSV file could not be read: ${reply.failure}`);
    return reply;
  }

  private toError({ tookTooMuchMemory, message }: NoReplyError): Error {
    return tookTooMuchMemory
      ? this.invalidFile('It takes too much memory to read.')
      : new Error(`The process that read a CSV file ${message}.`);
  }
}

/** The output of a process, up to the end of one file's lines or the end of the process. */
function readLines(output: Readable): Readable {
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
