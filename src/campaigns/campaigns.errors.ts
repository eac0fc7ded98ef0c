import { ApiError, retryAfter } from '../http/errors';
import { outcomeUnknownDetails } from '../idempotency/idempotency.errors';

export const campaignNotFound = () => new ApiError(404, 'Campaign not found');

export const recipientsFileTooLarge = (megabytes: number) =>
  new ApiError(413, 'Payload Too Large', { details: `file must not be larger than ${megabytes} MB.` });

/** @param faults one sentence for each row that is named */
export const invalidRecipientsFile = (faults: string) =>
  new ApiError(422, 'Invalid recipients file', { details: faults });

export const campaignOutcomeUnknown = () =>
  new ApiError(500, 'The campaign may not have been created', {
    details: outcomeUnknownDetails('it stored the campaign', 'The list of campaigns tells'),
  });

export const importsBusy = (seconds: number) =>
  new ApiError(
    503,
    'Too many recipients files are being read',
    { details: `It was not the turn of this one within ${seconds} s; send it again later.` },
    retryAfter(seconds),
  );
