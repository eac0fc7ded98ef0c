import { listChildren, readCommand } from '../../launch/process/processes.cjs';

/** The ids of the child processes that read documents. */
export const readers = (): number[] =>
  listChildren(process.pid).filter((pid) => readCommand(pid).includes('reader.main'));

/** Kills the reader processes. @returns how many there were */
export function killReaders(): number {
  const found = readers();
  for (const id of found) process.kill(id, 'SIGKILL');
  return found.length;
}
