import { type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { startChild, tookTooMuchMemory } from '../common/child-process';
import { invalidRecipientsFile } from './campaigns.errors';
import type { RecipientsReply, RecipientsTask } from './recipients.protocol';
import type { RowFault } from './row-faults';

/** Reading and storing a million rows takes a tenth of it. */
const TIMEOUT_MS = 300_000;

const HEAP_MEGABYTES = 256;

export interface ReadRecipients {
  recipients: number;
  faults: RowFault[];
}

/**
 * Reads a recipients file in a process of its own, which writes lines of COPY; nothing of the file passes through the
 * server's JavaScript but as bytes. The process is killed when the signal is aborted.
 * @throws 422 where the file takes too long or too much memory
 */
export async function copyRecipients(
  task: RecipientsTask,
  into: Writable,
  signal: AbortSignal,
): Promise<ReadRecipients> {
  const child = startChild(join(__dirname, 'recipients.main'), {
    heapMegabytes: HEAP_MEGABYTES,
    stdout: 'pipe',
    isPatient: true,
  });
  const late = AbortSignal.timeout(TIMEOUT_MS);
  const stop = AbortSignal.any([signal, late]);
  try {
    const [reply] = await Promise.all([
      replyTo(task, child),
      pipeline(child.stdout as Readable, into, { signal: stop }),
    ]);
    if ('failure' in reply) throw new Error(`A recipients file could not be read: ${reply.failure}`);
    return reply;
  } catch (error) {
    if (!late.aborted) throw error;
    throw invalidRecipientsFile(`It can not be read within ${TIMEOUT_MS / 1_000} seconds.`);
  } finally {
    child.kill('SIGKILL');
  }
}

const replyTo = (task: RecipientsTask, child: ChildProcess) =>
  new Promise<RecipientsReply>((resolve, reject) => {
    // The event close comes after all messages.
    child.once('message', resolve).once('error', reject);
    child.once('close', (code, signal) => reject(failureOf(code, signal)));
    child.send(task, (error) => error && reject(error));
  });

const failureOf = (code: number | null, signal: NodeJS.Signals | null) =>
  tookTooMuchMemory(code, signal)
    ? invalidRecipientsFile('It takes too much memory to read.')
    : new Error(`The process that read a recipients file ended with ${signal ?? `exit code ${code}`}.`);
