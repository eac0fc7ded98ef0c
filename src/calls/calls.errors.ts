import { ApiError, retryAfter, validationFailed } from '../http/errors';
import { outcomeUnknownDetails } from '../idempotency/idempotency.errors';

export const conversationNotFound = () => new ApiError(404, 'Conversation not found');

export const insufficientCredits = () =>
  new ApiError(402, 'Insufficient credits', { error_code: 'INSUFFICIENT_CREDITS' });

export const dispatchFailed = (details: string) =>
  new ApiError(500, 'The call could not be published to the agent', { error: { details } });

/** If it was accepted, it is a call like one whose server was killed at this point: a sweeper publishes it. */
export const acceptOutcomeUnknown = (ttlSeconds: number) =>
  new ApiError(500, 'The call may not have been accepted', {
    error: {
      details: outcomeUnknownDetails(
        `it accepted the call, which may still be placed within ${ttlSeconds} s`,
        'The conversations of the agent tell',
      ),
    },
  });

export const creditsPerDayReached = (limit: number) =>
  new ApiError(403, 'The credits of this day are spent', {
    details:
      `The workspace may spend ${limit} credits a day (UTC), and the hold of this call would exceed that. ` +
      'Try again tomorrow, or ask the operator for a higher quota.',
    error_code: 'CREDITS_PER_DAY_QUOTA_REACHED',
  });

export const destinationNotAllowed = () =>
  validationFailed(
    [{ field: 'body.to_number', message: 'to_number is a destination that this installation does not call' }],
    'DESTINATION_NOT_ALLOWED',
  );

export const tooManyCalls = (limit: number) =>
  new ApiError(
    429,
    'Too many calls under way',
    {
      details: `${limit} calls of this workspace are under way, which is its limit; try again when one has ended.`,
      error_code: 'CONCURRENCY_LIMIT',
    },
    retryAfter(1),
  );

export const callEnded = (status: string) =>
  new ApiError(409, 'The call has ended', {
    error: { details: `It is ${status}; there is nothing to hang up.` },
  });
