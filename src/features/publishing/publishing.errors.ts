import { outcomeUnknownDetails } from '../../accounts/idempotency/idempotency.errors';
import { ApiError } from '../../platform/http/errors';

export const nothingToRollBack = () =>
  new ApiError('NOTHING_TO_ROLL_BACK', 'Calls have used no other version of the agent');

export const rollbackOutcomeUnknown = () =>
  new ApiError('OUTCOME_UNKNOWN', 'The agent may not have been rolled back', {
    error: { details: outcomeUnknownDetails('rolled the agent back', 'the versions of the agent') },
  });
