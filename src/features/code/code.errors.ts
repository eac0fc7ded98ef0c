import { outcomeUnknownDetails } from '../../accounts/idempotency/idempotency.errors';
import { ApiError, type FieldError } from '../../platform/http/errors';

/** @param errors of the bases that no longer are the revisions */
export const codeDrifted = (errors: FieldError[]) =>
  new ApiError('CODE_DRIFT', 'The resources have changed', {
    errors,
    error: { details: 'They were changed after their definitions were read. Nothing was done.' },
  });

export const codeOutcomeUnknown = () =>
  new ApiError('OUTCOME_UNKNOWN', 'The definitions may not have been applied', {
    error: { details: outcomeUnknownDetails('applied the definitions', 'their revisions') },
  });
