import { ApiError, temporarilyRefused, validationFailed } from '../../platform/http/errors';
import { outcomeUnknownDetails } from '../../accounts/idempotency/idempotency.errors';

export const knowledgeBaseNotFound = () =>
  new ApiError('KNOWLEDGE_BASE_NOT_FOUND', 'Knowledge base not found');

export const sourceNotFound = () => new ApiError('KNOWLEDGE_BASE_SOURCE_NOT_FOUND', 'Source not found');

export const lastSource = () =>
  new ApiError('KNOWLEDGE_BASE_LAST_SOURCE', 'The last source cannot be deleted', {
    error: {
      details:
        'A knowledge base has at least one source. Replace this one, add another one first, or delete the ' +
        'knowledge base.',
    },
  });

export const sourcesLimitReached = (limit: number, count: number, wanted: number) =>
  new ApiError('KNOWLEDGE_BASE_SOURCES_LIMIT_REACHED', 'The limit of sources is reached', {
    details:
      `The knowledge base has ${count} of at most ${limit} sources; this request adds ${wanted}. ` +
      'Delete a source, or create another knowledge base.',
  });

export const sourcesOutcomeUnknown = () =>
  new ApiError('OUTCOME_UNKNOWN', 'The sources may not have been added', {
    error: { details: outcomeUnknownDetails('added the sources', 'the sources of the knowledge base') },
  });

export const replacementOutcomeUnknown = () =>
  new ApiError('OUTCOME_UNKNOWN', 'The source may not have been replaced', {
    error: { details: outcomeUnknownDetails('replaced the source', 'the sources of the knowledge base') },
  });

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

export const linkUnavailable = (field: string, reason: string) =>
  new ApiError('LINK_UNAVAILABLE', 'No content can be fetched from the link', {
    error: { details: `${field} cannot be read: ${reason}.` },
  });

export const ofLinkFormOnly = (field: string) =>
  `${field} belongs to the link form, which is application/json and has no file`;

export const ofFileFormOnly = (field: string) =>
  `${field} belongs to the file form, which is multipart/form-data`;

export const linkWithFile = () =>
  validationFailed([
    { field: 'body.file', message: 'file cannot replace a link: send url in application/json' },
  ]);

export const fileMissing = () =>
  validationFailed([
    {
      field: 'body.file',
      message: 'file is missing: only another file, in multipart/form-data, can replace one',
    },
    { field: 'body.url', message: 'url cannot replace a file' },
  ]);

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
