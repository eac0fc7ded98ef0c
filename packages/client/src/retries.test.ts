import { ParleyError, readRetryAfter } from './errors';
import { computePause, mayRepeat } from './retries';

const error = (status: number, code = 'RATE_LIMITED', retryAfter?: number) =>
  new ParleyError({ status, code, message: '', retryAfter });

describe('A request that failed', () => {
  test.each([
    ['safe', error(429), true],
    ['safe', error(503), true],
    ['keyed', error(503, 'DATABASE_BUSY', 30), true],
    ['safe', error(0, 'TIMEOUT'), true],
    ['keyed', error(0, 'CONNECTION_FAILED'), true],
    // A proxy lost the connection to the server.
    ['keyed', error(502, 'INVALID_RESPONSE'), true],
    ['keyed', error(500, 'OUTCOME_UNKNOWN'), true],
    ['safe', error(500, 'OUTCOME_UNKNOWN'), false],
    ['keyed', error(500, 'DISPATCH_FAILED'), false],
    ['safe', error(500, 'INTERNAL_ERROR'), false],
    ['safe', error(429, 'RATE_LIMITED', 31), false],
    ['safe', error(404, 'CALL_NOT_FOUND'), false],
    ['never', error(503), false],
    ['never', error(0, 'CONNECTION_FAILED'), false],
  ] as const)('is repeated or not: %s, %s: %s', (repetition, failure, expected) => {
    expect(mayRepeat(failure, repetition)).toBe(expected);
  });

  test('is repeated after the time that the server asks for, else after one that doubles', () => {
    expect(computePause(error(429, 'RATE_LIMITED', 3), 0, 0)).toBe(3_000);
    expect([0, 1, 2, 9].map((retries) => computePause(error(503), retries, 0))).toEqual([
      250, 500, 1_000, 4_000,
    ]);
    expect([0, 1, 2, 9].map((retries) => computePause(error(503), retries, 1))).toEqual([
      500, 1_000, 2_000, 8_000,
    ]);
  });
});

describe('The header Retry-After', () => {
  test.each([
    ['7', 7],
    ['0', 0],
    ['-1', 0],
    ['Thu, 01 Jan 1970 00:01:00 GMT', 50],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
  ])('%s is read as %s', (header, expected) => {
    expect(readRetryAfter(header, 10_000)).toBe(expected);
  });
});
