import type { Schemas } from '../../api/client';
import { texts } from '../../texts';
import { personsNumber } from '../calls/call-table';

type Entry = Schemas['TimelineEntryDto'];

const TELLING: Entry['kind'][] = [
  ...(['accepted', 'claimed', 'connected', 'hangup_requested', 'ended', 'failed', 'corrected'] as const),
];

/** The last that happened to the call itself, with its reason. */
export const sentenceOf = (timeline: Entry[]) =>
  timeline.findLast(({ kind }) => TELLING.includes(kind))?.text;

/** Who called whom. */
export function titleOf(call: Schemas['CallDetailDto']): string {
  const person = call.customer_name || personsNumber(call) || texts.common.unknown;
  return call.direction === 'inbound'
    ? texts.call.inboundOf(call.agent.name, person)
    : texts.call.outboundOf(call.agent.name, person);
}
