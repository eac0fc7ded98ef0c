import { outcomeUnknownDetails } from '../../../accounts/idempotency/idempotency.errors';
import { ApiError } from '../../../platform/http/errors';

/** The runs of a workspace that can go on at once. */
export const MAX_OPEN_RUNS = 10;

export const rehearsalRunNotFound = () => new ApiError('REHEARSAL_RUN_NOT_FOUND', 'Rehearsal run not found');

export const rehearsalResultNotFound = () =>
  new ApiError('REHEARSAL_RESULT_NOT_FOUND', 'Rehearsal result not found');

export const noRehearsals = () =>
  new ApiError('NO_REHEARSALS', 'The agent has no rehearsals', {
    error: { details: 'Store a rehearsal that is enabled, name one in only, or give rehearsals.' },
  });

export const rehearsalRunsLimitReached = () =>
  new ApiError('REHEARSAL_RUNS_LIMIT', 'Too many rehearsal runs', {
    error: { details: `A workspace can have ${MAX_OPEN_RUNS} runs at once.` },
  });

export const rehearsalRunOutcomeUnknown = () =>
  new ApiError('OUTCOME_UNKNOWN', 'The run may not have been started', {
    error: { details: outcomeUnknownDetails('started the run', 'the list of runs') },
  });
