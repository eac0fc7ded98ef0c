import { answeredReasonByQ850Cause, reasonByQ850Cause, reasonBySipCode, toUnanswered } from './carrier-end';

// The table of docs/carriers/README.md. The comments have the names in the documents of SIP and Q.850.

test.each([
  [404, 'invalid_destination'], // Not Found
  [410, 'invalid_destination'], // Gone
  [484, 'invalid_destination'], // Address Incomplete
  [604, 'invalid_destination'], // Does Not Exist Anywhere
  [486, 'dial_busy'], // Busy Here
  [600, 'dial_busy'], // Busy Everywhere
  [603, 'dial_busy'], // Decline
  [607, 'dial_busy'], // Unwanted
  [608, 'dial_busy'], // Rejected
  [408, 'dial_no_answer'], // Request Timeout
  [480, 'dial_no_answer'], // Temporarily Unavailable
  [487, 'dial_no_answer'], // Request Terminated
  [401, 'dial_failed'], // Unauthorized
  [403, 'dial_failed'], // Forbidden
  [488, 'dial_failed'], // Not Acceptable Here
  [500, 'dial_failed'], // Server Internal Error
  [502, 'dial_failed'], // Bad Gateway
  [503, 'dial_failed'], // Service Unavailable
  [504, 'dial_failed'], // Server Time-out
  [606, 'dial_failed'], // Not Acceptable
])('a call that ends with SIP %s before the answer is %s', (code, reason) => {
  expect(reasonBySipCode(code)).toBe(reason);
  expect(reasonBySipCode(String(code))).toBe(reason);
});

test.each([
  [1, 'invalid_destination'], // Unallocated number
  [2, 'invalid_destination'], // No route to transit network
  [3, 'invalid_destination'], // No route to destination
  [22, 'invalid_destination'], // Number changed
  [28, 'invalid_destination'], // Invalid number format
  [17, 'dial_busy'], // User busy
  [21, 'dial_busy'], // Call rejected
  [18, 'dial_no_answer'], // No user responding
  [19, 'dial_no_answer'], // No answer from user
  [20, 'dial_no_answer'], // Subscriber absent
  [0, 'dial_failed'], // Not defined
  [16, 'dial_failed'], // Normal clearing
  [27, 'dial_failed'], // Destination out of order
  [34, 'dial_failed'], // No circuit available
  [38, 'dial_failed'], // Network out of order
  [41, 'dial_failed'], // Temporary failure
  [42, 'dial_failed'], // Switching equipment congestion
  [127, 'dial_failed'], // Interworking
])('a call that ends with cause %s before the answer is %s', (cause, reason) => {
  expect(reasonByQ850Cause(cause)).toBe(reason);
});

test.each([
  [16, 'user_hangup'], // Normal clearing
  [31, 'user_hangup'], // Normal, unspecified
  [0, 'user_hangup'], // Not defined
  [17, 'error'],
  [27, 'error'],
  [34, 'error'],
  [38, 'error'],
  [41, 'error'],
])('a call that ends with cause %s after the answer is %s', (cause, reason) => {
  expect(answeredReasonByQ850Cause(cause)).toBe(reason);
});

test('a caller who is gone before the answer has hung up, unless the carrier failed', () => {
  const end = { answeredReason: 'error', detail: 'Carrier: code' } as const;
  expect(toUnanswered({ ...end, reason: 'cancelled' })).toMatchObject({ reason: 'user_hangup' });
  expect(toUnanswered({ ...end, reason: 'dial_no_answer' })).toMatchObject({ reason: 'user_hangup' });
  expect(toUnanswered({ ...end, reason: 'error' })).toMatchObject({ reason: 'error' });
});
