import { temporarilyRefused } from './errors';

const workspaceRefused = (details: string) =>
  temporarilyRefused('WORKSPACE_BUSY', 'The workspace has too many requests in progress', details);

export const databaseBusy = () =>
  temporarilyRefused('DATABASE_BUSY', 'The server is busy', 'No database connection became free in time.');

export const databaseUnavailable = () =>
  temporarilyRefused(
    'DATABASE_UNAVAILABLE',
    'The database cannot be reached',
    'Nothing was changed. Send the request again later.',
    5,
  );

/** @param resource what the request waited for */
export const workspaceBusy = (resource: string, seconds: number) =>
  workspaceRefused(
    `Other requests of this workspace use its share, and no ${resource} became free within ${seconds} s.`,
  );

export const answersFull = (megabytes: number) =>
  workspaceRefused(
    `Answers to this workspace that have not been read have ${megabytes} MB, which is the most that this server keeps.`,
  );

export const tooManyRequestsInProgress = (limit: number) =>
  workspaceRefused(
    `${limit} requests of this workspace are in progress, which is the most that this server accepts.`,
  );
