import { ApiError } from '../../platform/http/errors';

export const savedViewNotFound = () => new ApiError('SAVED_VIEW_NOT_FOUND', 'Saved view not found');
