import { readAnswerer, readEnd, readTransfer, toRefusal } from './outcomes';
import { TwilioError } from './twilio-client';

// The table of docs/carriers/README.md, and the statuses and error codes of Twilio's documents.

test.each([
  ['busy', '486', 'dial_busy', 'Twilio: busy, SIP 486'],
  ['busy', '603', 'dial_busy', 'Twilio: busy, SIP 603'],
  ['busy', undefined, 'dial_busy', 'Twilio: busy'],
  ['no-answer', undefined, 'dial_no_answer', 'Twilio: no-answer'],
  ['no-answer', '487', 'dial_no_answer', 'Twilio: no-answer, SIP 487'],
  ['canceled', undefined, 'cancelled', 'Twilio: canceled'],
  ['canceled', '487', 'cancelled', 'Twilio: canceled, SIP 487'],
  ['failed', '404', 'invalid_destination', 'Twilio: failed, SIP 404'],
  ['failed', '410', 'invalid_destination', 'Twilio: failed, SIP 410'],
  ['failed', '484', 'invalid_destination', 'Twilio: failed, SIP 484'],
  ['failed', '600', 'dial_busy', 'Twilio: failed, SIP 600'],
  ['failed', '603', 'dial_busy', 'Twilio: failed, SIP 603'],
  ['failed', '408', 'dial_no_answer', 'Twilio: failed, SIP 408'],
  ['failed', '480', 'dial_no_answer', 'Twilio: failed, SIP 480'],
  ['failed', '503', 'dial_failed', 'Twilio: failed, SIP 503'],
  ['failed', undefined, 'dial_failed', 'Twilio: failed'],
])('the status %s with SIP %s before the answer is %s', (status, sipCode, reason, detail) => {
  expect(readEnd(status, sipCode)).toEqual({ reason, answeredReason: 'error', detail });
});

test('the status completed after the answer is a hang-up, and without a media stream a failure', () => {
  expect(readEnd('completed')).toMatchObject({ reason: 'dial_failed', answeredReason: 'user_hangup' });
});

test.each(['queued', 'initiated', 'ringing', 'in-progress'])('the status %s is no end', (status) => {
  expect(readEnd(status)).toBeUndefined();
});

test.each([
  [400, 21211, 'invalid_destination'], // Invalid 'To' phone number
  [400, 21214, 'invalid_destination'], // 'To' phone number cannot be reached
  [400, 21217, 'invalid_destination'], // Phone number does not appear to be valid
  [400, 13223, 'invalid_destination'], // Dial: invalid phone number format
  [400, 13224, 'invalid_destination'], // Dial: number not supported or invalid
  [400, 21210, 'dial_failed'], // 'From' phone number not verified
  [400, 21215, 'dial_failed'], // Account not authorized to call the country
  [401, 20003, 'dial_failed'], // Authentication
  [429, 20429, 'dial_failed'], // Too many requests
])('a call that Twilio refuses with status %s and code %s is %s', (status, code, reason) => {
  expect(toRefusal(new TwilioError(status, code))).toMatchObject({
    reason,
    message: `Twilio: status ${status}, code ${code}`,
  });
});

test('a call is dial_failed if Twilio refuses it without a code, or is not reached', () => {
  expect(toRefusal(new TwilioError(503, 0))).toMatchObject({
    reason: 'dial_failed',
    message: 'Twilio: status 503',
  });
  expect(toRefusal(new Error('connect ECONNREFUSED'))).toMatchObject({ reason: 'dial_failed' });
});

test.each([
  ['human', 'person'],
  ['machine_start', 'machine'],
  ['fax', 'fax'],
  ['machine_end_beep', 'beep'],
  ['machine_end_silence', 'beep'],
  ['machine_end_other', 'beep'],
  ['unknown', undefined],
])('the machine detection %s is read as %s', (answeredBy, answerer) => {
  expect(readAnswerer(answeredBy)).toBe(answerer);
});

test.each([
  ['ringing', undefined, undefined],
  ['in-progress', undefined, {}],
  ['completed', undefined, {}],
  ['canceled', undefined, { hasHungUp: true }],
  ['busy', '486', { failure: 'Twilio: busy, SIP 486' }],
  ['no-answer', undefined, { failure: 'Twilio: no-answer' }],
  ['failed', '404', { failure: 'Twilio: failed, SIP 404' }],
])('the other number of a transfer with status %s and SIP %s is read', (status, sipCode, read) => {
  expect(readTransfer(status, sipCode)).toEqual(read);
});
