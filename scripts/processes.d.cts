/** The program and arguments of a process, '' when none runs. */
export function commandOf(pid: number): string;

/** The processes that a process has started and that still run. */
export function childrenOf(parent: number): number[];
