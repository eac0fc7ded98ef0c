import { ApiError, type FieldError, validationFailed } from '../../platform/http/errors';

export const MAX_INVOCATIONS_OF_CALL = 100;

export const invocationNotFound = () => new ApiError('INVOCATION_NOT_FOUND', 'Invocation not found');

export const invocationSettled = () =>
  new ApiError('INVOCATION_SETTLED', 'The invocation is settled', {
    details:
      'Only an invocation whose state is `unknown` can be resolved, and sent again as long as its arguments are kept.',
  });

export const toolNotOfAgent = (name: string) =>
  new ApiError('TOOL_NOT_FOUND', 'Tool not found', {
    error: { details: `The call has no tool ${name}, or it was deleted.` },
  });

export const argumentsInvalid = (errors: FieldError[]) => validationFailed(errors, 'TOOL_ARGUMENTS_INVALID');

export const notConfirmed = () =>
  new ApiError('TOOL_NOT_CONFIRMED', 'The person has not been asked', {
    error: { details: 'Ask the person first, and send `confirmed: true` if the person agrees.' },
  });

export const invocationsLimitReached = () =>
  new ApiError('TOOL_LIMIT_REACHED', 'The limit of invocations is reached', {
    details: `A call has at most ${MAX_INVOCATIONS_OF_CALL} invocations of tools.`,
  });
