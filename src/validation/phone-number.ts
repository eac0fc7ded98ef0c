import { isPossiblePhoneNumber } from 'libphonenumber-js';

export const E164 = /^\+[1-9]\d{6,14}$/;

/** Whether it is E.164 and its country's numbers can be this long; not whether anybody has been assigned it. */
export const isE164 = (text: string) => E164.test(text) && isPossiblePhoneNumber(text);
