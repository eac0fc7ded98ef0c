import type { Schemas } from '../api/client';
import { texts } from '../texts';
import { getPerson } from './phone-number';

/** The title of a call: the agent, the person and the direction, or that it is a web call. */
export function getTitle(call: Schemas['CallDto'] | Schemas['CallDetailDto']): string {
  if (call.call_type === 'webcall') return texts.call.webCall(call.agent.name);
  const person = getPerson(call);
  return call.direction === 'inbound'
    ? texts.call.inboundCall(call.agent.name, person)
    : texts.call.outboundCall(call.agent.name, person);
}
