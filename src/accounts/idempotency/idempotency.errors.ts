import { ApiError, retryAfter } from '../../platform/http/errors';

export const requestInProgress = () =>
  new ApiError(
    'IDEMPOTENCY_KEY_IN_USE',
    'A request with this Idempotency-Key is in progress',
    { error: { details: 'Its outcome is not known yet. Send the same request with the same key again.' } },
    retryAfter(1),
  );

export const keyReused = () =>
  new ApiError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request', {
    error: { details: 'The body of that request was different. Send the same body again, or use a new key.' },
  });

/**
 * The details of an error after which it is not known whether the change was made.
 * @param action what the server may have done, after "The server may have"
 * @param where a list that shows whether it was done
 */
export const outcomeUnknownDetails = (action: string, where: string) =>
  `The database did not confirm the change. The server may have ${action}. ` +
  `To find out, read ${where}, or send the same request with the same Idempotency-Key again. Without a key, a second ` +
  'request may do it twice.';
