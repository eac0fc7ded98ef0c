import type { Schemas } from '../../api/client';
import { texts } from '../../texts';
import { personsNumber } from '../calls/call-table';

type Entry = Schemas['TimelineEntryDto'];

const ENDS: Entry['kind'][] = ['ended', 'failed', 'corrected'];
const STEPS: Entry['kind'][] = ['accepted', 'claimed', 'connected', 'hangup_requested'];

const lastOf = (timeline: Entry[], kinds: Entry['kind'][]) =>
  timeline.findLast(({ kind }) => kinds.includes(kind));

/** How the call ended, else the last that happened to it. A hangup may be asked for after the end. */
export const sentenceOf = (timeline: Entry[]) => (lastOf(timeline, ENDS) ?? lastOf(timeline, STEPS))?.text;

/** Who called whom. */
export function titleOf(call: Schemas['CallDetailDto']): string {
  const person = call.customer_name || personsNumber(call) || texts.common.unknown;
  return call.direction === 'inbound'
    ? texts.call.inboundOf(call.agent.name, person)
    : texts.call.outboundOf(call.agent.name, person);
}
