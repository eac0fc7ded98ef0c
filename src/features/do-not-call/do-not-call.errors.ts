import { ApiError, retryAfter, validationFailed } from '../../platform/http/errors';

/** The refusal of a call to a number on the list. */
export const numberListed = () =>
  validationFailed(
    [{ field: 'body.to_number', message: 'to_number is on the do-not-call list of the workspace' }],
    'DO_NOT_CALL',
  );

export const entryNotFound = () => new ApiError('DO_NOT_CALL_ENTRY_NOT_FOUND', 'Do-not-call entry not found');

export const expiryInPast = () =>
  validationFailed([{ field: 'body.expires_at', message: 'expires_at must be in the future' }]);

/** The entries of the request are on the list already. */
export const claimsUndecided = () =>
  new ApiError('CLAIMS_UNDECIDED', 'A call to a number that is on the list now may still be placed', {
    details:
      'The list was changed. A runtime had claimed a call to one of the numbers before, and the claim could not be ' +
      'decided in time. Send the request again to wait for it once more.',
  });

/** @param details one sentence for each row with an error */
export const invalidNumbersFile = (details: string) =>
  new ApiError('INVALID_DO_NOT_CALL_FILE', 'Invalid do-not-call file', { details });

export const importsBusy = (seconds: number) =>
  new ApiError(
    'DO_NOT_CALL_IMPORTS_BUSY',
    'Too many do-not-call files are being read',
    { details: `The server could not start to read this file within ${seconds} s. Send it again later.` },
    retryAfter(seconds),
  );
