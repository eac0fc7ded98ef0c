import { ApiError, temporarilyRefused, validationFailed } from '../http/errors';
import { outcomeUnknownDetails } from '../idempotency/idempotency.errors';

export const knowledgeBaseNotFound = () =>
  new ApiError('KNOWLEDGE_BASE_NOT_FOUND', 'Knowledge base not found');

export const knowledgeBaseOutcomeUnknown = () =>
  new ApiError('OUTCOME_UNKNOWN', 'The knowledge base may not have been created', {
    error: { details: outcomeUnknownDetails('created the knowledge base', 'the list of knowledge bases') },
  });

export const idMissing = () =>
  validationFailed([
    { field: 'params.kb_id', message: 'kb_id is missing: the path must be /api/knowledge-base/{kb_id}' },
  ]);

export const nameTaken = (name: string) =>
  new ApiError('KNOWLEDGE_BASE_NAME_TAKEN', 'Knowledge base name already in use', {
    error: { details: `The workspace already has a knowledge base named ${name}.` },
  });

export const overQuota = (limit: number, bytes: number) =>
  `its text has ${bytes} bytes, and the workspace's knowledge bases may have ${limit} bytes in all`;

export const linkUnavailable = (reason: string) =>
  new ApiError('LINK_UNAVAILABLE', 'No content can be fetched from the link', {
    error: { details: `baseUrl cannot be read: ${reason}.` },
  });

export const ofLinkFormOnly = (field: string) =>
  `${field} belongs to the link form, which is application/json and has no file`;

export const bothForms = () =>
  validationFailed([{ field: 'body.baseUrl', message: ofLinkFormOnly('baseUrl') }]);

export const unreadableFile = (reason: string) =>
  validationFailed([{ field: 'body.file', message: `file cannot be read: ${reason}` }], 'FILE_UNREADABLE');

export const readerFailed = (reason: string) =>
  new ApiError('DOCUMENT_READER_FAILED', 'Internal server error', {
    error: { details: `The server failed to read the document: ${reason}. It can be sent again.` },
  });

export const readersBusy = (seconds: number) =>
  temporarilyRefused(
    'DOCUMENT_READERS_BUSY',
    'Too many documents are being read',
    `The server could not start to read this one within ${seconds} s. Send it again later.`,
    seconds,
  );
