import { ApiError, validationFailed } from '../../platform/http/errors';

/** The error names no reason: it would reveal that another workspace has the number. */
export const numberUnavailable = () =>
  validationFailed(
    [{ field: 'body.phone_number', message: 'phone_number cannot be added' }],
    'PHONE_NUMBER_UNAVAILABLE',
  );

export const phoneNumberNotFound = () => new ApiError('PHONE_NUMBER_NOT_FOUND', 'Phone number not found');

/** An error for the operator, who may see which workspace has the number. */
export const numberHeld = (workspaceId: string) =>
  new ApiError('PHONE_NUMBER_HELD', 'Another workspace has the phone number', {
    details: `Workspace ${workspaceId} has it. Release it there first.`,
  });
