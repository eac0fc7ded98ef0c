import { ApiError } from '../common/errors';

export const insufficientCredits = () =>
  new ApiError(402, 'Insufficient credits', { error_code: 'INSUFFICIENT_CREDITS' });

export const dispatchFailed = (details: string) =>
  new ApiError(500, 'The call could not be published to the agent', { error: { details } });
