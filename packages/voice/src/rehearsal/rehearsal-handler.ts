import { type Call, CallFailed, type CallResult, type Logger } from '@parley/worker';
import { describeError } from '../errors';
import type { RehearsalPlayer } from './rehearsal-player';

/** The longest time of a rehearsal on the clock of this machine, such as one whose model hangs. */
const MAX_REAL_MS = 300_000;

export interface RehearsalHandlerParts {
  player: Pick<RehearsalPlayer, 'play'>;
  logger: Pick<Logger, 'warn'>;
}

/** The handler for `createWorker` that plays rehearsals. */
export const rehearsalHandler =
  ({ player, logger }: RehearsalHandlerParts) =>
  async (call: Call): Promise<CallResult> => {
    const { rehearsal } = call.start;
    if (!rehearsal) throw new CallFailed('error', `The call ${call.id} is no rehearsal.`);
    const late = new AbortController();
    const tooLong = new Error(`The rehearsal took longer than ${MAX_REAL_MS / 1_000} s.`);
    const timer = setTimeout(() => late.abort(tooLong), MAX_REAL_MS);
    const warn = (code: string, text: string) => void call.warn(code, text);
    try {
      const signal = AbortSignal.any([call.signal, late.signal]);
      const facts = await player.play(call, rehearsal, warn, signal);
      await call.connected();
      await call.rehearsed(facts);
      const { reason, by } = facts.end;
      return { reason: reason === 'limit' ? 'max_duration_reached' : reason, by };
    } catch (error) {
      if (call.signal.aborted) throw call.signal.reason;
      const sentence = describeError(error);
      logger.warn(`The rehearsal ${rehearsal.name} was not played, call ${call.id}: ${sentence}`);
      warn('rehearsal_not_played', sentence);
      throw new CallFailed('error', sentence);
    } finally {
      clearTimeout(timer);
    }
  };
