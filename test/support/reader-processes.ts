import { execFileSync } from 'node:child_process';

/** The processes in which this one reads documents. */
export function readers(): number[] {
  const [, ...lines] = execFileSync('ps', ['-A', '-o', 'ppid,pid,args'], { encoding: 'utf8' }).split('\n');
  return lines
    .filter((line) => line.includes('reader.main'))
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([parent, id]) => (parent === process.pid && id !== undefined ? [id] : []));
}

/** Ends them as an operator or the system would; how many there were. */
export function killReaders(): number {
  const found = readers();
  for (const id of found) process.kill(id, 'SIGKILL');
  return found.length;
}
