import type { Schemas } from '../../../api/client';
import { personNumber } from '../../../domain/call-columns';
import { texts } from '../../../texts';

/** The title of a call: the agent, the person and the direction. */
export function titleOf(call: Schemas['CallDetailDto']): string {
  const person = call.customer_name || personNumber(call) || texts.common.unknown;
  return call.direction === 'inbound'
    ? texts.call.inboundOf(call.agent.name, person)
    : texts.call.outboundOf(call.agent.name, person);
}
