import { ApiError } from '../common/errors';

export const conversationNotFound = () => new ApiError(404, 'Conversation not found');
