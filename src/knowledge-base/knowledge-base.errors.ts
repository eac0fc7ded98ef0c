import { ApiError, validationFailed } from '../common/errors';

export const knowledgeBaseNotFound = () => new ApiError(404, 'Knowledge base not found');

export const nameTaken = (name: string) =>
  new ApiError(409, 'Knowledge base name already in use', {
    error: { details: `There is a knowledge base named ${name} already.` },
  });

export const linkUnavailable = (reason: string) =>
  new ApiError(422, 'No content can be fetched from the link', {
    error: { details: `baseUrl can not be read: ${reason}.` },
  });

export const unreadableFile = (reason: string) =>
  validationFailed([{ field: 'body.file', message: `file can not be read: ${reason}` }]);
