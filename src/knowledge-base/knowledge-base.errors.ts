import { ApiError, validationFailed } from '../http/errors';
import { outcomeUnknownDetails } from '../idempotency/idempotency.errors';

export const knowledgeBaseNotFound = () => new ApiError(404, 'Knowledge base not found');

export const knowledgeBaseOutcomeUnknown = () =>
  new ApiError(500, 'The knowledge base may not have been created', {
    error: {
      details: outcomeUnknownDetails('it stored the knowledge base', 'The list of knowledge bases tells'),
    },
  });

export const idMissing = () =>
  validationFailed([
    { field: 'params.kb_id', message: 'kb_id is missing: the path must be /api/knowledge-base/{kb_id}' },
  ]);

export const nameTaken = (name: string) =>
  new ApiError(409, 'Knowledge base name already in use', {
    error: { details: `There is a knowledge base named ${name} already.` },
  });

export const overQuota = (limit: number, bytes: number) =>
  `its text has ${bytes} bytes, and the workspace's knowledge bases may have ${limit} bytes in all`;

export const linkUnavailable = (reason: string) =>
  new ApiError(422, 'No content can be fetched from the link', {
    error: { details: `baseUrl can not be read: ${reason}.` },
  });

export const ofLinkFormOnly = (field: string) =>
  `${field} belongs to the link form, which is application/json and has no file`;

export const bothForms = () =>
  validationFailed([{ field: 'body.baseUrl', message: ofLinkFormOnly('baseUrl') }]);

export const unreadableFile = (reason: string) =>
  validationFailed([{ field: 'body.file', message: `file can not be read: ${reason}` }]);

export const readerFailed = (reason: string) =>
  new ApiError(500, 'Internal server error', {
    error: { details: `The server failed while it read the document: ${reason}. It may be sent again.` },
  });
