import { temporarilyRefused } from '../../platform/http/errors';

export const tooManyStreams = (limit: number) =>
  temporarilyRefused(
    'WORKSPACE_BUSY',
    'The workspace has too many open streams',
    `${limit} streams of this workspace are open, which is the most that this server accepts.`,
    5,
  );
