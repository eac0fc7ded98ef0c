import { ApiError } from '../../platform/http/errors';

export const erasureNotFound = () => new ApiError('ERASURE_NOT_FOUND', 'Erasure not found');
