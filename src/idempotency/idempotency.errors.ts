import { ApiError, retryAfter } from '../http/errors';

export const requestInProgress = () =>
  new ApiError(
    409,
    'A request with this Idempotency-Key is in progress',
    { error: { details: 'Its outcome is not known yet; send the same request with the same key again.' } },
    retryAfter(1),
  );

export const keyReused = () =>
  new ApiError(422, 'This Idempotency-Key was used for another request', {
    error: { details: 'Its body was another one; send the body of the first request, or a new key.' },
  });

/**
 * What a failure says that may be none.
 * @param what perhaps was done, after "whether"
 * @param whoTells where it can be seen, before "and"
 */
export const outcomeUnknownDetails = (what: string, whoTells: string) =>
  `The database was lost before it said whether ${what}. ${whoTells}, and so does the same request with the same ` +
  `Idempotency-Key; sent again without one, it may be done twice.`;
