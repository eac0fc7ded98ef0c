import { type Call, CallFailed, type CallResult, type Logger, type RehearsalOfCall } from '@parley/worker';
import { describeError } from '../errors';
import { judgeRehearsal } from './judge-rehearsal';
import type { RehearsalPlayer } from './rehearsal-player';
import type { RehearsalPlaces } from './rehearsal-places';
import type { Models } from './rehearsed-agent';
import { SpeechMissing } from './spoken-stage';

/** The longest time of a rehearsal on the clock of this machine, such as one whose model hangs. */
const MAX_REAL_MS = new Map<string, number>([
  ['text', 300_000],
  ['audio', 720_000],
]);

type Player = Pick<RehearsalPlayer, 'play'>;

export interface RehearsalHandlerParts {
  player: Player;
  /** Gives a player for one rehearsal that is spoken. */
  createSpeaker: () => Player & Pick<RehearsalPlayer, 'close'>;
  /** Converses with the person of the server, as in a web call. */
  converse: (call: Call) => Promise<CallResult>;
  places: Pick<RehearsalPlaces, 'take' | 'leave'>;
  models: Models;
  logger: Pick<Logger, 'warn'>;
}

/** The handler for `createWorker` that plays rehearsals, and judges those that were played. */
export const rehearsalHandler =
  (parts: RehearsalHandlerParts) =>
  async (call: Call): Promise<CallResult> => {
    const { rehearsal } = call.start;
    const { logger } = parts;
    if (!rehearsal) throw new CallFailed('error', `The call ${call.id} is no rehearsal.`);
    if (rehearsal.mode === 'joined') return parts.converse(call);
    const maximumMs = MAX_REAL_MS.get(rehearsal.mode);
    // A later server may have others. To play one of them in text would be another rehearsal.
    if (maximumMs === undefined)
      throw new CallFailed('error', `This runtime does not know the mode ${rehearsal.mode}.`);
    const late = new AbortController();
    const tooLong = new Error(`The rehearsal took longer than ${maximumMs / 1_000} s.`);
    const timer = setTimeout(() => late.abort(tooLong), maximumMs);
    const warn: Warn = (code, text) => void call.warn(code, text);
    try {
      const signal = AbortSignal.any([call.signal, late.signal]);
      const deed = rehearsal.judge ? judge : rehearsal.mode === 'audio' ? speak : play;
      return await deed(call, rehearsal, parts, warn, signal);
    } catch (error) {
      if (call.signal.aborted) throw call.signal.reason;
      if (error instanceof CallFailed) throw error;
      const sentence = describeError(error);
      logger.warn(`The rehearsal ${rehearsal.name} was not played, call ${call.id}: ${sentence}`);
      warn('rehearsal_not_played', sentence);
      throw new CallFailed(error instanceof SpeechMissing ? 'dial_failed' : 'error', sentence);
    } finally {
      clearTimeout(timer);
    }
  };

type Warn = (code: string, text: string) => void;

type Deed = (
  call: Call,
  rehearsal: RehearsalOfCall,
  parts: RehearsalHandlerParts,
  warn: Warn,
  signal: AbortSignal,
) => Promise<CallResult>;

const play: Deed = async (call, rehearsal, { player }, warn, signal) => {
  const facts = await player.play(call, rehearsal, warn, signal);
  await call.connected();
  await call.rehearsed(facts);
  const { reason, by } = facts.end;
  return { reason: reason === 'limit' ? 'max_duration_reached' : reason, by };
};

/** It takes a place of the calls, and none of the rehearsals that are written. */
const speak: Deed = async (call, rehearsal, parts, warn, signal) => {
  call.releasePlace();
  const { places } = parts;
  if (!(await places.take(call.id, call.start.workspaceId, signal))) throw new CallFailed('dial_busy');
  const player = parts.createSpeaker();
  try {
    return await play(call, rehearsal, { ...parts, player }, warn, signal);
  } finally {
    await player.close();
    places.leave(call.id);
  }
};

const judge: Deed = async (call, rehearsal, { models }, warn, signal) => {
  const { answers, tokens } = await judgeRehearsal(call, rehearsal, { models, warn }, signal);
  await call.connected();
  await call.judged(answers, tokens);
  return { reason: 'agent_hangup', by: 'agent' };
};
