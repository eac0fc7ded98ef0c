import { ApiError, retryAfter } from '../http/errors';

export const readersBusy = (seconds: number) =>
  new ApiError(
    503,
    'Too many documents are being read',
    { error: { details: `It was not the turn of this one within ${seconds} s; send it again later.` } },
    retryAfter(seconds),
  );
