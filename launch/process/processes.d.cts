/** A unique name of a running process; null if it is not running. */
export function identify(pid: number): string | null;

/** The program and arguments of a process; '' if it is not running. */
export function readCommand(pid: number): string;

/** The running child processes of a process. */
export function listChildren(parent: number): number[];
