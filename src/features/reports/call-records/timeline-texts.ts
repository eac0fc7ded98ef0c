import { shorten } from '@parley/worker';
import type { DisconnectReason } from '../../calls/model/call-states';
import type { Actor } from '../../../platform/http/actor';
import { MAX_TOOLS_KILOBYTES } from '../../tools/offered-tools';
import { MAX_TOOLS_OF_AGENT } from '../../tools/tool-definition';
import type { InvocationState } from '../../tool-invocations/tool-invocation.entity';

/** Names the sender of a request: the subject of a sentence, and the origin, which follows its verb. */
export function describeSender({ kind, name }: Actor): { who: string; from: string } {
  // A key without a name is called by its last characters.
  const person = name.startsWith('…') ? `Somebody with the API key “${name}”` : name;
  if (kind === 'session' || kind === 'person') return { who: person, from: ' from the console' };
  return { who: kind === 'key' ? `The API key “${name}”` : `The user “${name}”`, from: '' };
}

interface Ending {
  /** The party that is not the agent. */
  person: string;
  /** The party that ended the call. */
  by: string;
}

/** Each text is the beginning of a sentence. */
type Texts = Partial<Record<DisconnectReason, (ending: Ending) => string>>;

const ENDS: Texts = {
  user_hangup: ({ person }) => `The ${person} hung up`,
  agent_hangup: () => 'The agent hung up',
  call_transfer: () => 'The call, which the agent had transferred, ended',
  voicemail_reached: () => 'The call reached voicemail and ended',
  inactivity: () => 'The call ended because there was no speech',
  max_duration_reached: () => 'The call reached its maximum duration and ended',
  cancelled: ({ by }) => `The call was cut off by the ${by}`,
  error: () => 'An error ended the call',
  dial_failed: () => 'The network dropped the call',
};

const FAILURES: Texts = {
  user_hangup: ({ person }) => `The ${person} hung up before the call was connected`,
  agent_hangup: () => 'The agent hung up before the call was connected',
  voicemail_reached: () => 'Voicemail answered, and the call was not connected',
  inactivity: () => 'Nothing happened, and the call was not connected',
  max_duration_reached: () => 'The call was not connected within its maximum duration',
  dial_busy: () => 'The line was busy',
  dial_no_answer: () => 'There was no answer',
  dial_failed: () => 'The network could not put the call through',
  invalid_destination: () => 'The number cannot be called',
  cancelled: ({ by }) => `The ${by} cancelled the call before it was connected`,
  error: () => 'An error kept the call from connecting',
};

const toWords = (reason: DisconnectReason) => reason.replaceAll('_', ' ');

/** Words a duration: 55 s, 2 min 5 s, or 1 h 2 min. */
export function formatDuration(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${rest} s` : `${rest} s`;
}

/** Words what came of an invocation of a tool. */
export function describeInvocation(tool: string, state: InvocationState, ms: number): string {
  if (state === 'unknown') return `It is not known whether ${tool} was done.`;
  const end = `after ${(ms / 1_000).toFixed(1)} s`;
  if (state === 'done') return `${tool} was done in ${(ms / 1_000).toFixed(1)} s.`;
  return state === 'refused' ? `${tool} was refused ${end}.` : `${tool} failed ${end}, and was not done.`;
}

/** The missing tools that a text names. */
const MAX_NAMED = 10;

/** Words which actions of an agent are no tools of its call. */
export function describeMissingTools(names: string[]): string {
  const named = names.slice(0, MAX_NAMED).map((name) => shorten(name.trim(), 60));
  const more = names.length > MAX_NAMED ? `, and ${names.length - MAX_NAMED} more` : '';
  const bounds = `A call has one tool of a name, at most ${MAX_TOOLS_OF_AGENT}, and ${MAX_TOOLS_KILOBYTES} KB of their descriptions.`;
  return `The call has no such tools: ${named.join(', ')}${more}. ${bounds}`;
}

/** Words the end of a connected call. */
export const describeEnd = (reason: DisconnectReason, ending: Ending, seconds: number) =>
  `${ENDS[reason]?.(ending) ?? `The ${ending.by} ended the call (${toWords(reason)})`} after ${formatDuration(seconds)}.`;

/** Words why a call was not connected. */
export const describeFailure = (reason: DisconnectReason, ending: Ending) =>
  `${FAILURES[reason]?.(ending) ?? `The ${ending.by} ended the call before it was connected (${toWords(reason)})`}.`;
