import { ApiError, validationFailed } from '../../platform/http/errors';
import { outcomeUnknownDetails } from '../../accounts/idempotency/idempotency.errors';

export const agentNotFound = () => new ApiError('AGENT_NOT_FOUND', 'Agent not found');

export const agentVersionNotFound = () => new ApiError('AGENT_VERSION_NOT_FOUND', 'Agent version not found');

export const promptTemplateNotFound = () =>
  new ApiError('PROMPT_TEMPLATE_NOT_FOUND', 'Prompt template not found');

export const noActiveSubscription = () =>
  new ApiError('NO_ACTIVE_SUBSCRIPTION', 'Creating an agent requires an active subscription');

export const agentTooLarge = (kilobytes: number) =>
  validationFailed(
    [
      {
        field: 'body',
        message: `the agent's texts and settings must not be larger than ${kilobytes} KB together, as JSON in UTF-8`,
      },
    ],
    'AGENT_TOO_LARGE',
  );

export const agentOutcomeUnknown = () =>
  new ApiError('OUTCOME_UNKNOWN', 'The agent may not have been created', {
    error: { details: outcomeUnknownDetails('created the agent', 'the list of agents') },
  });

export const restoreOutcomeUnknown = () =>
  new ApiError('OUTCOME_UNKNOWN', 'The agent version may not have been restored', {
    error: { details: outcomeUnknownDetails('restored the version', 'the versions of the agent') },
  });

export const agentSwitchedOff = () =>
  validationFailed(
    [{ field: 'params.agent_id', message: 'the agent is switched off: its status is false' }],
    'AGENT_SWITCHED_OFF',
  );
