import { ApiError, validationFailed } from '../http/errors';

/** Does not say the reason, which would tell that another workspace holds the number. */
export const numberUnavailable = () =>
  validationFailed([{ field: 'body.phone_number', message: 'phone_number can not be added' }]);

export const phoneNumberNotFound = () => new ApiError(404, 'Phone number not found');

/** For the operator. */
export const numberHeld = (workspaceId: string) =>
  new ApiError(409, 'Phone number is held by another workspace', {
    details: `Workspace ${workspaceId} holds it; release it first.`,
  });
