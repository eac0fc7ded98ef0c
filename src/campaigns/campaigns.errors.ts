import { ApiError } from '../common/errors';

export const campaignNotFound = () => new ApiError(404, 'Campaign not found');

/** The file or the agent's id, which the interface document answers with `details`. */
export function partsMissing(parts: string[]) {
  const errors = parts.map((part) => ({ field: `body.${part}`, message: `${part} is missing` }));
  return new ApiError(400, 'Validation failed', {
    errors,
    details: errors.map(({ message }) => `${message}.`).join(' '),
  });
}

export const recipientsFileTooLarge = (megabytes: number) =>
  new ApiError(413, 'Payload Too Large', { details: `file must not be larger than ${megabytes} MB.` });

/** @param faults one sentence for each row that is named */
export const invalidRecipientsFile = (faults: string) =>
  new ApiError(422, 'Invalid recipients file', { details: faults });
