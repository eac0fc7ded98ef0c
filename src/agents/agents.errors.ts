import { ApiError, validationFailed } from '../http/errors';
import { outcomeUnknownDetails } from '../idempotency/idempotency.errors';

export const agentNotFound = () => new ApiError(404, 'Agent not found');

export const promptTemplateNotFound = () => new ApiError(404, 'Prompt template not found');

export const noActiveSubscription = () =>
  new ApiError(403, 'Creating an agent requires an active subscription');

export const agentTooLarge = (kilobytes: number) =>
  validationFailed([
    {
      field: 'body',
      message: `the agent's texts and settings must not be larger than ${kilobytes} KB together, as JSON in UTF-8`,
    },
  ]);

export const agentOutcomeUnknown = () =>
  new ApiError(500, 'The agent may not have been created', {
    error: { details: outcomeUnknownDetails('it stored the agent', 'The list of agents tells') },
  });

export const agentSwitchedOff = () =>
  validationFailed([{ field: 'params.agent_id', message: 'the agent is switched off: its status is false' }]);
