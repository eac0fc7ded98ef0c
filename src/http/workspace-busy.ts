import { ApiError, retryAfter } from './errors';

const busy = (message: string, details: string, error_code: string) =>
  new ApiError(503, message, { error: { details }, error_code }, retryAfter(1));

const refusal = (details: string) =>
  busy('The workspace has too much in progress', details, 'WORKSPACE_BUSY');

export const databaseBusy = () =>
  busy('The server is busy', 'No database connection became free in time.', 'DATABASE_BUSY');

/** @param resource what the request waited for */
export const workspaceBusy = (resource: string, seconds: number) =>
  refusal(
    `Other requests of this workspace use its share, and no ${resource} became free within ${seconds} s.`,
  );

export const tooManyRequestsInProgress = (limit: number) =>
  refusal(`${limit} requests of this workspace are in progress, which is the most that this server takes.`);
