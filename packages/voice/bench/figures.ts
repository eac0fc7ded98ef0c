import type { PhoneCall } from '../test/support/phone';
import type { TurnTiming } from '../src/conversation/contract';
import type { Kind } from './scenarios';

/** One conversation, as the carrier and the runtime saw it. */
export interface Talk {
  kind: Kind;
  call: PhoneCall;
  timings: TurnTiming[];
}

type Event = PhoneCall['callee'][number];

/** The voice that the agent's fields require before it interrupts. */
const VOICE_MS = 200;

export const percentile = (values: number[], share: number) =>
  Math.round(values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? NaN);

/** From the person's last sound to the agent's first one, at the phone of the person. */
export function gapsAtPhone({ call: { callee } }: Talk): number[] {
  return callee.flatMap(({ type, at }, index) => {
    if (type !== 'person-ended') return [];
    const next = callee
      .slice(index + 1)
      .find((event) => ['agent-began', 'person-began'].includes(event.type));
    return next?.type === 'agent-began' ? [next.at - at] : [];
  });
}

/** The time from the person's first sound until the agent was stopped, beyond what its fields require. */
export function interruptionMs({ call: { callee } }: Talk): number | undefined {
  const began = callee.find(({ type }) => type === 'person-began');
  const cleared = callee.find(({ type, at }) => type === 'cleared' && at >= (began?.at ?? Infinity));
  return began && cleared && cleared.at - began.at - VOICE_MS;
}

/** The number of times that the agent was stopped while the person was silent. */
export function falseInterruptions({ call: { callee } }: Talk): number {
  let speaks = false;
  let spokeUntil = -Infinity;
  let count = 0;
  for (const { type, at } of callee) {
    if (type === 'person-began') speaks = true;
    if (type === 'person-ended') [speaks, spokeUntil] = [false, at];
    if (type === 'cleared' && !speaks && at - spokeUntil > 2_000) count++;
  }
  return count;
}

/** The number of words that were added, left out or changed, and of all that were said. */
export function wordErrors({ call: { callee, turns } }: Talk): { errors: number; words: number } {
  const said = callee.flatMap((event: Event) => (event.type === 'person-ended' ? [event.text] : []));
  const heard = turns.filter(({ speaker }) => speaker === 'user').map(({ text }) => text);
  const [reference, recognized] = [splitWords(said.join(' ')), splitWords(heard.join(' '))];
  return { errors: distance(reference, recognized), words: reference.length };
}

const splitWords = (text: string) => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

function distance(a: string[], b: string[]): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, word] of a.entries()) {
    const next = [i + 1];
    for (const [j, other] of b.entries()) {
      const change = (row[j] ?? 0) + (word === other ? 0 : 1);
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
