import { outcomeUnknownDetails } from '../../accounts/idempotency/idempotency.errors';
import { ApiError } from '../../platform/http/errors';
import { MAX_REHEARSALS } from './rehearsals.dto';

export const rehearsalNotFound = () => new ApiError('REHEARSAL_NOT_FOUND', 'Rehearsal not found');

/** @param reason a sentence */
export const callNotRehearsable = (reason: string) =>
  new ApiError('CALL_NOT_REHEARSABLE', 'The call cannot be rehearsed', { error: { details: reason } });

export const rehearsalNameTaken = (name: string) =>
  new ApiError('REHEARSAL_NAME_TAKEN', 'The name is taken', {
    error: { details: `The agent already has a rehearsal with the name ${name}.` },
  });

export const rehearsalsLimitReached = () =>
  new ApiError('REHEARSALS_LIMIT_REACHED', 'The agent has too many rehearsals', {
    error: { details: `An agent can have ${MAX_REHEARSALS} rehearsals.` },
  });

export const rehearsalOutcomeUnknown = () =>
  new ApiError('OUTCOME_UNKNOWN', 'The rehearsal may not have been created', {
    error: {
      details: outcomeUnknownDetails('created the rehearsal', 'the list of rehearsals'),
    },
  });
