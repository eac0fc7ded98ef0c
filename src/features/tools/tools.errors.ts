import { outcomeUnknownDetails } from '../../accounts/idempotency/idempotency.errors';
import { ApiError, retryAfter } from '../../platform/http/errors';

export const toolNotFound = () => new ApiError('TOOL_NOT_FOUND', 'Tool not found');

export const toolNameTaken = (name: string) =>
  new ApiError('TOOL_NAME_TAKEN', 'The name is taken', {
    error: { details: `The workspace already has a tool with the name ${name}.` },
  });

export const toolServerUnavailable = (reason: string) =>
  new ApiError('TOOL_SERVER_UNAVAILABLE', 'The tools of the server cannot be listed', {
    details: `The server cannot be asked for its tools, because ${reason}.`,
  });

export const toolWithoutServer = () =>
  new ApiError('VALIDATION_FAILED', 'The tool has no server', {
    error: { details: 'Only a tool of the kind mcp has a server with tools.' },
  });

export const toolsBusy = () =>
  new ApiError(
    'TOOLS_BUSY',
    'Too many tools run',
    {
      details:
        'As many invocations of tools run in the workspace as may run at once. Nothing was sent. Try again.',
    },
    retryAfter(1),
  );

export const toolOutcomeUnknown = () =>
  new ApiError('OUTCOME_UNKNOWN', 'The tool may not have been created', {
    error: { details: outcomeUnknownDetails('created the tool', 'the list of tools') },
  });
