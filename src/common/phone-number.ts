import { isPossiblePhoneNumber } from 'libphonenumber-js';

/** Whether it is E.164 and its country's numbers can be this long; not whether anybody has been assigned it. */
export const isE164 = (text: string) => /^\+[1-9]\d{6,14}$/.test(text) && isPossiblePhoneNumber(text);
