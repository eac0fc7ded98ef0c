import { ApiError } from '../common/errors';

export const workspaceNotFound = (id: string) =>
  new ApiError(404, 'Workspace not found', { details: `There is no workspace ${id}.` });

export const creditsOutOfRange = () =>
  new ApiError(400, 'Credits out of range', {
    details: 'Credits are whole numbers from 0 to 1,000,000,000, the balance included.',
  });
