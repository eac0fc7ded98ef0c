import { childrenOf, commandOf } from '../../scripts/processes.cjs';

/** The processes in which this one reads documents. */
export const readers = (): number[] =>
  childrenOf(process.pid).filter((pid) => commandOf(pid).includes('reader.main'));

/** Ends them as an operator or the system would; how many there were. */
export function killReaders(): number {
  const found = readers();
  for (const id of found) process.kill(id, 'SIGKILL');
  return found.length;
}
