import { readAnswerer, readEnd, toRefusal, toUnansweredRefusal } from './outcomes';
import { TelnyxError } from './telnyx-client';

// The table of docs/carriers/README.md, and the causes and error codes of Telnyx's documents.

test.each([
  ['user_busy', '486', 'dial_busy', 'error'],
  ['user_busy', 'unspecified', 'dial_busy', 'error'],
  ['call_rejected', 'unspecified', 'dial_busy', 'error'],
  ['call_rejected', undefined, 'dial_busy', 'error'],
  ['call_rejected', '403', 'dial_busy', 'error'],
  ['call_rejected', '603', 'dial_busy', 'error'],
  ['call_rejected', '503', 'dial_failed', 'error'],
  ['call_rejected', '404', 'invalid_destination', 'error'],
  ['no_answer', 'unspecified', 'dial_no_answer', 'error'],
  ['no_answer', '480', 'dial_no_answer', 'error'],
  ['timeout', '487', 'dial_no_answer', 'error'],
  ['timeout', 'unspecified', 'dial_no_answer', 'error'],
  ['not_found', '404', 'invalid_destination', 'error'],
  ['not_found', 'unspecified', 'invalid_destination', 'error'],
  ['originator_cancel', '487', 'cancelled', 'user_hangup'],
  ['normal_clearing', 'unspecified', 'dial_failed', 'user_hangup'],
  ['time_limit', 'unspecified', 'dial_failed', 'max_duration_reached'],
  ['unspecified', '410', 'invalid_destination', 'error'],
  ['unspecified', '484', 'invalid_destination', 'error'],
  ['unspecified', '600', 'dial_busy', 'error'],
  ['unspecified', '480', 'dial_no_answer', 'error'],
  ['unspecified', 503, 'dial_failed', 'error'],
  ['unspecified', '503', 'dial_failed', 'error'],
  [undefined, undefined, 'dial_failed', 'error'],
] as const)(
  'the cause %s with SIP %s is %s before the answer, and %s after it',
  (hangup_cause, sip_hangup_cause, reason, answeredReason) => {
    expect(readEnd({ hangup_cause, sip_hangup_cause })).toMatchObject({ reason, answeredReason });
  },
);

test.each([
  ['user_busy', '486', 'Telnyx: user_busy, SIP 486', true],
  ['not_found', 'unspecified', 'Telnyx: not_found', true],
  ['unspecified', '503', 'Telnyx: unspecified, SIP 503', true],
  ['unspecified', 'unspecified', 'Telnyx: unspecified', false],
  ['normal_clearing', '200', 'Telnyx: normal_clearing, SIP 200', false],
])('the cause %s with SIP %s is in the timeline as %s', (cause, sip, detail, isUnanswered) => {
  expect(readEnd({ hangup_cause: cause, sip_hangup_cause: sip })).toMatchObject({ detail, isUnanswered });
});

test.each([
  [422, '10002', 'invalid_destination'], // Invalid phone number
  [422, '10016', 'invalid_destination'], // Phone number must be in +E.164 format
  [401, '10009', 'dial_failed'], // Authentication failed
  [403, '10010', 'dial_failed'], // Authorization failed
  [429, '10011', 'dial_failed'], // Too many requests
  [422, '10015', 'dial_failed'], // Bad request
  [403, '90043', 'dial_failed'], // Too many calls at once
])('a call that Telnyx refuses with status %s and code %s is %s', (status, code, reason) => {
  expect(toRefusal(new TelnyxError(status, code))).toMatchObject({
    reason,
    message: `Telnyx: status ${status}, code ${code}`,
  });
});

test('a call is dial_failed if Telnyx refuses it without a code, or is not reached', () => {
  expect(toRefusal(new TelnyxError(503, ''))).toMatchObject({
    reason: 'dial_failed',
    message: 'Telnyx: status 503',
  });
  expect(toRefusal(new Error('connect ECONNREFUSED'))).toMatchObject({ reason: 'dial_failed' });
});

test.each([
  [404, '10005', 'user_hangup'], // Resource not found
  [422, '90018', 'user_hangup'], // Call has already ended
  [500, '10007', 'error'], // Unexpected error
])('an incoming call whose answer Telnyx refuses with %s and code %s is %s', (status, code, reason) => {
  expect(toUnansweredRefusal(new TelnyxError(status, code))).toMatchObject({ reason });
});

test.each([
  ['call.machine.premium.detection.ended', 'machine', 'machine'],
  ['call.machine.premium.detection.ended', 'fax_detected', 'fax'],
  ['call.machine.premium.detection.ended', 'human_residence', 'person'],
  ['call.machine.premium.detection.ended', 'human_business', 'person'],
  ['call.machine.premium.detection.ended', 'silence', undefined],
  ['call.machine.premium.detection.ended', 'not_sure', undefined],
  ['call.machine.detection.ended', 'human', 'person'],
  ['call.machine.detection.ended', 'machine', 'machine'],
  ['call.machine.premium.greeting.ended', 'beep_detected', 'beep'],
  ['call.machine.premium.greeting.ended', 'no_beep_detected', 'beep'],
  ['call.machine.greeting.ended', 'ended', 'beep'],
  ['call.machine.greeting.ended', 'not_sure', undefined],
])('the event %s with the result %s is read', (type, result, answerer) => {
  expect(readAnswerer(type, result)).toBe(answerer);
});
