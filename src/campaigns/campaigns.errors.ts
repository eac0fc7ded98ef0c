import { ApiError, retryAfter } from '../http/errors';
import { outcomeUnknownDetails } from '../idempotency/idempotency.errors';

export const campaignNotFound = () => new ApiError('CAMPAIGN_NOT_FOUND', 'Campaign not found');

export const recipientsFileTooLarge = (megabytes: number) =>
  new ApiError('RECIPIENTS_FILE_TOO_LARGE', 'Payload Too Large', {
    details: `file must not be larger than ${megabytes} MB.`,
  });

/** @param details one sentence for each row with an error */
export const invalidRecipientsFile = (details: string) =>
  new ApiError('INVALID_RECIPIENTS_FILE', 'Invalid recipients file', { details });

export const campaignOutcomeUnknown = () =>
  new ApiError('OUTCOME_UNKNOWN', 'The campaign may not have been created', {
    details: outcomeUnknownDetails('created the campaign', 'the list of campaigns'),
  });

export const importsBusy = (seconds: number) =>
  new ApiError(
    'RECIPIENT_IMPORTS_BUSY',
    'Too many recipients files are being read',
    { details: `The server could not start to read this file within ${seconds} s. Send it again later.` },
    retryAfter(seconds),
  );
