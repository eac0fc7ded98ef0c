import { childrenOf, commandOf } from '../../scripts/processes.cjs';

/** The reader processes of this process. */
export const readers = (): number[] =>
  childrenOf(process.pid).filter((pid) => commandOf(pid).includes('reader.main'));

/** Kills them, as an operator or the system would. @returns how many */
export function killReaders(): number {
  const found = readers();
  for (const id of found) process.kill(id, 'SIGKILL');
  return found.length;
}
