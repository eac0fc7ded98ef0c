import { PairLog } from './pair-log';
import type { ToldInvocation } from './tool-invariants';

/** The ends of invocations of tools, as the runtimes were told them. */
export class ToldLog extends PairLog {
  read(): ToldInvocation[] {
    return this.readPairs().map(([invocationId, state]) => ({ invocationId, state }));
  }
}
