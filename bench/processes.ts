import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { listChildren } from '../launch/process/processes.cjs';

const TICKS_PER_SECOND = 100;
const LISTENING = '0A';

/** The process of this machine that listens on a TCP port. @throws if there is none, or this is not Linux */
export function findListener(port: number): number {
  const rows = ['tcp', 'tcp6'].flatMap((file) =>
    readFileSync(`/proc/net/${file}`, 'utf8').split('\n').slice(1),
  );
  const sockets = rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, local, , state]) => state === LISTENING && local?.endsWith(`:${hexadecimal(port)}`))
    .map((fields) => `socket:[${fields[9]}]`);
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const pid = pids.find((each) => openFiles(each).some((file) => sockets.includes(file)));
  if (pid === undefined) throw new Error(`No visible process of this machine listens on port ${port}.`);
  return Number(pid);
}

const hexadecimal = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');

/** The files of other users and of ended processes are not visible. */
function openFiles(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  } catch {
    return [];
  }
}

/** CPU seconds of a process with all its threads. */
export function cpuSeconds(pid: number): number {
  const [user = 0, system = 0] = cpuTicks(pid);
  return (user + system) / TICKS_PER_SECOND;
}

/** CPU seconds of a process and its children, ended ones included. */
export function cpuSecondsOfFamily(pid: number): number {
  const running = listChildren(pid).map(cpuSeconds);
  const ownAndEnded = cpuTicks(pid).reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND;
  return running.reduce((sum, seconds) => sum + seconds, ownAndEnded);
}

/** User and system time of the process, then of its children that have ended. Empty: the process has ended. */
function cpuTicks(pid: number): number[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).map(Number);
  } catch {
    return [];
  }
}
