import type { ErrorCode } from '../../platform/http/error-codes';
import { ApiError, validationFailed } from '../../platform/http/errors';
import type { TransferProblem } from '../do-not-call/transfer-numbers';
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

/** By rank: of several problems, the first one here gives the refusal its code. */
const TRANSFER_PROBLEMS: Record<TransferProblem, { code: ErrorCode; message: string }> = {
  destination: {
    code: 'DESTINATION_NOT_ALLOWED',
    message: 'its number is a destination that this installation does not allow',
  },
  listed: { code: 'DO_NOT_CALL', message: 'its number is on the do-not-call list of the workspace' },
  impossible: {
    code: 'VALIDATION_FAILED',
    message: 'its number is not a possible one in E.164 form, such as +15551234567',
  },
};

/** @param problems of the numbers of the actions, at their places */
export function transfersNotAllowed(problems: (TransferProblem | undefined)[], field = 'body.actions') {
  const errors = problems.flatMap((problem, index) =>
    problem ? [{ field: `${field}.${index}`, message: TRANSFER_PROBLEMS[problem].message }] : [],
  );
  const names = Object.keys(TRANSFER_PROBLEMS) as TransferProblem[];
  const first = names.find((name) => problems.includes(name));
  return validationFailed(errors, first && TRANSFER_PROBLEMS[first].code);
}

export const agentOutcomeUnknown = () =>
  new ApiError('OUTCOME_UNKNOWN', 'The agent may not have been created', {
    error: { details: outcomeUnknownDetails('created the agent', 'the list of agents') },
  });

export const restoreOutcomeUnknown = () =>
  new ApiError('OUTCOME_UNKNOWN', 'The agent version may not have been restored', {
    error: { details: outcomeUnknownDetails('restored the version', 'the versions of the agent') },
  });

export const agentNotPublished = (field = 'params.agent_id') =>
  validationFailed([{ field, message: 'no version of the agent is published yet' }], 'AGENT_NOT_PUBLISHED');

export const agentSwitchedOff = () =>
  validationFailed(
    [{ field: 'params.agent_id', message: 'the agent is switched off: its status is false' }],
    'AGENT_SWITCHED_OFF',
  );
