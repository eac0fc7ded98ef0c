import { ApiError, retryAfter, validationFailed } from '../../../platform/http/errors';
import { outcomeUnknownDetails } from '../../../accounts/idempotency/idempotency.errors';

export const conversationNotFound = () => new ApiError('CONVERSATION_NOT_FOUND', 'Conversation not found');

export const callNotFound = () => new ApiError('CALL_NOT_FOUND', 'Call not found');

export const insufficientCredits = () => new ApiError('INSUFFICIENT_CREDITS', 'Insufficient credits');

export const dispatchFailed = (details: string) =>
  new ApiError('DISPATCH_FAILED', 'The call could not be published to the agent', { error: { details } });

/** A call that was accepted is placed: the sweeper publishes it. */
export const acceptOutcomeUnknown = (ttlSeconds: number) =>
  new ApiError('OUTCOME_UNKNOWN', 'The call may not have been accepted', {
    error: {
      details: outcomeUnknownDetails(
        `accepted the call, which may still be placed within ${ttlSeconds} s`,
        'the list of conversations of the agent',
      ),
    },
  });

export const creditsPerDayReached = (limit: number) =>
  new ApiError('CREDITS_PER_DAY_QUOTA_REACHED', 'The credits of this day are spent', {
    details:
      `The workspace may spend ${limit} credits a day (UTC), and the hold of this call would exceed that. ` +
      'Try again tomorrow, or ask the operator for a higher quota.',
  });

export const callsPerDayReached = (limit: number, resetsAt: Date) =>
  new ApiError('CALLS_PER_DAY_CAP_REACHED', 'The calls of this credential for this day are used up', {
    details:
      `The credential, with all that was created with it, may start ${limit} calls a day (UTC), and has started them. ` +
      `It may start calls again from ${resetsAt.toISOString()} on.`,
  });

export const destinationNotAllowed = () =>
  validationFailed(
    [
      {
        field: 'body.to_number',
        message: 'to_number is a destination that this installation does not allow',
      },
    ],
    'DESTINATION_NOT_ALLOWED',
  );

export const tooManyCalls = (limit: number) =>
  new ApiError(
    'CONCURRENCY_LIMIT',
    'Too many calls in progress',
    {
      details: `${limit} calls of this workspace are in progress, which is its limit. Try again when one has ended.`,
    },
    retryAfter(1),
  );

export const callNotAudible = () =>
  new ApiError('CALL_NOT_AUDIBLE', 'The call cannot be heard', {
    error: { details: 'The call is not connected, or its runtime offers no audio of it.' },
  });

/** @param done what can be done only during the call */
export const callEnded = (status: string, done = 'hung up') =>
  new ApiError('CALL_ENDED', 'The call has ended', {
    error: { details: `Its status is ${status}, so it cannot be ${done}.` },
  });

export const transferUnknown = () =>
  validationFailed([
    {
      field: 'body.to_number',
      message: 'to_number is none of the numbers with which the agent of the call may connect the person',
    },
  ]);
