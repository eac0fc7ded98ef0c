import { PairLog } from '../harness/pair-log';

/** An invocation as a runtime was told about it. */
export interface ToldInvocation {
  invocationId: string;
  state: string;
}

/** The ends of invocations of tools, as the runtimes were told them. */
export class ToldLog extends PairLog {
  read(): ToldInvocation[] {
    return this.readPairs().map(([invocationId, state]) => ({ invocationId, state }));
  }
}
