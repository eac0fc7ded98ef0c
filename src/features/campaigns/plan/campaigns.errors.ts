import { ApiError, retryAfter, validationFailed } from '../../../platform/http/errors';
import { outcomeUnknownDetails } from '../../../accounts/idempotency/idempotency.errors';

const wrongState = (
  code: 'CAMPAIGN_NOT_RUNNING' | 'CAMPAIGN_NOT_PAUSED' | 'CAMPAIGN_ENDED' | 'CAMPAIGN_BEGUN',
  message: string,
  status: string,
) => new ApiError(code, message, { error: { details: `Its status is ${status}.` } });

export const campaignNotRunning = (status: string) =>
  wrongState('CAMPAIGN_NOT_RUNNING', 'The campaign is not running', status);

export const campaignNotPaused = (status: string) =>
  wrongState('CAMPAIGN_NOT_PAUSED', 'The campaign is not paused', status);

export const campaignEnded = (status: string) =>
  wrongState('CAMPAIGN_ENDED', 'The campaign has ended', status);

export const campaignBegun = (status: string) =>
  wrongState('CAMPAIGN_BEGUN', 'The campaign has begun, so its time cannot be changed', status);

export const recipientNotFound = () => new ApiError('RECIPIENT_NOT_FOUND', 'Recipient not found');

export const expiresTooEarly = () =>
  validationFailed([
    { field: 'body.expiresAt', message: 'expiresAt must be in the future and after the scheduled time' },
  ]);

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
