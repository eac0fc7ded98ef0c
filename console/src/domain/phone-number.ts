import type { Schemas } from '../api/client';
import { texts } from '../texts';

/** A phone number without its spaces, brackets, dots and hyphens. */
export const toE164 = (text: string) => text.replace(/[\s().-]/g, '');

export const isE164 = (text: string) => /^\+[1-9]\d{1,14}$/.test(text);

type Parties = Pick<Schemas['CallDto'], 'direction' | 'to_number' | 'from_number'>;

/** The number of the person: the other side of the agent's. */
export const personNumber = (call: Parties) =>
  call.direction === 'inbound' ? call.from_number : call.to_number;

/** The name of the person of a call, or else the number. */
export const getPerson = (call: Parties & Pick<Schemas['CallDto'], 'customer_name'>) =>
  call.customer_name || personNumber(call) || texts.common.unknown;

/** The text of a dialog before somebody hangs up: whom this cuts off. */
export function hangUpText(call: Parties & Pick<Schemas['CallDto'], 'customer_name'>): string {
  const number = personNumber(call);
  const name = call.customer_name;
  if (!name && !number) return texts.call.hangUpWebText;
  return texts.call.hangUpText(name && number ? texts.call.nameAndNumber(name, number) : name || number);
}
