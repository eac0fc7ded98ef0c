import { ApiError, validationFailed } from '../common/errors';

export const agentNotFound = () => new ApiError(404, 'Agent not found');

export const promptTemplateNotFound = () => new ApiError(404, 'Prompt template not found');

export const noActiveSubscription = () =>
  new ApiError(403, 'Creating an agent requires an active subscription');

export const agentSwitchedOff = () =>
  validationFailed([{ field: 'params.agent_id', message: 'the agent is switched off: its status is false' }]);
