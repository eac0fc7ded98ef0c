import { join } from 'node:path';
import { Child, NoReplyError } from '../background/child-process';
import { UnreadableDocumentError } from './unreadable-document.error';
import { ReaderError } from './reader.error';
import type { ReaderReply, ReaderTask } from './reader.protocol';

export interface ProcessLimits {
  /** The time for one document; a PDF of a thousand pages takes about ten seconds. */
  timeoutMs: number;
  heapMegabytes: number;
}

/** A process that reads documents, one after another. */
export class ReaderProcess {
  private readonly child: Child<ReaderTask, ReaderReply>;

  constructor(private readonly limits: ProcessLimits) {
    this.child = new Child(join(__dirname, 'reader.main'), limits);
  }

  get isAlive(): boolean {
    return this.child.isAlive;
  }

  end(): void {
    this.child.end();
  }

  /**
   * @throws UnreadableDocumentError when the document takes too long or too much memory
   * @throws ReaderError when the process cannot be reached or ends for another reason
   */
  async run(task: ReaderTask): Promise<ReaderReply> {
    const { timeoutMs } = this.limits;
    let hasTimedOut = false;
    const timer = setTimeout(() => {
      hasTimedOut = true;
      this.end();
    }, timeoutMs);
    try {
      return await this.child.run(task);
    } catch (error) {
      if (hasTimedOut)
        throw new UnreadableDocumentError(`it cannot be read within ${timeoutMs / 1_000} seconds`);
      throw error instanceof NoReplyError ? toError(error) : error;
    } finally {
      clearTimeout(timer);
    }
  }
}

const toError = ({ tookTooMuchMemory, message }: NoReplyError): Error =>
  tookTooMuchMemory
    ? new UnreadableDocumentError('it takes too much memory to read')
    : new ReaderError(`the process that read it ${message}`);
