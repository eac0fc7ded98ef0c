import { outcomeUnknownDetails } from '../../accounts/idempotency/idempotency.errors';
import { ApiError } from '../../platform/http/errors';

export const toolNotFound = () => new ApiError('TOOL_NOT_FOUND', 'Tool not found');

export const toolNameTaken = (name: string) =>
  new ApiError('TOOL_NAME_TAKEN', 'The name is taken', {
    error: { details: `The workspace already has a tool with the name ${name}.` },
  });

export const toolOutcomeUnknown = () =>
  new ApiError('OUTCOME_UNKNOWN', 'The tool may not have been created', {
    error: { details: outcomeUnknownDetails('created the tool', 'the list of tools') },
  });
