import { isPossiblePhoneNumber } from 'libphonenumber-js';
import { isCertainlyPossible } from './numbering-plans';

export const E164 = /^\+[1-9]\d{6,14}$/;

/** Whether it is E.164 and has a possible length for its country; not whether the number is in service. */
export const isE164 = (text: string) =>
  E164.test(text) && (isCertainlyPossible(text) || isPossiblePhoneNumber(text));
