import type { CallToolResult } from '@modelcontextprotocol/server';
import { ERROR_CODES, type ErrorCode } from '../../platform/http/error-codes';
import type { ApiError, FieldError } from '../../platform/http/errors';

/** The advice to a model after a refusal. Without one, the meaning of the code says enough. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  AGENT_NOT_FOUND: 'Find the id with list_agents.',
  AGENT_SWITCHED_OFF: 'Ask a person to switch the agent on in the console, or use another agent.',
  AGENT_NOT_PUBLISHED: 'Ask a person to publish the agent in the console, or use another agent.',
  CALL_NOT_FOUND: 'Find the id with find_calls.',
  CALL_ENDED: 'Nothing is left to do. Use explain_call to see how it ended.',
  CALLS_PER_DAY_CAP_REACHED:
    'Start no more calls before that time. Ask a person for a credential with a higher cap if they are needed today.',
  CAMPAIGN_NOT_FOUND: 'Find the id with list_campaigns.',
  CAMPAIGN_NOT_RUNNING:
    'Use explain_campaign to see its state. Only a scheduled or running campaign can be paused.',
  CAMPAIGN_NOT_PAUSED: 'Use explain_campaign to see its state. Only a paused campaign can be resumed.',
  CLAIMS_UNDECIDED:
    'The number is listed. Call the tool again in a moment to be sure that no call to it is placed.',
  CONCURRENCY_LIMIT: 'Wait until calls have ended: find_calls with the status connected shows them.',
  CREDITS_PER_DAY_QUOTA_REACHED: 'Do not try again today, unless the operator raises the quota.',
  DESTINATION_NOT_ALLOWED: 'Do not try this number again. Only the operator can allow it.',
  DISPATCH_FAILED:
    'If the call may still be placed, look at it with get_call before you do anything else. If nothing was charged, no ' +
    'call was placed: once list_runtimes shows a runtime, call the tool again with a new idempotency_key.',
  DO_NOT_CALL: 'Do not call this number. A person must take it off the list first, with good reason.',
  IDEMPOTENCY_KEY_IN_USE:
    'The first attempt is still in progress. Call the tool again in a moment with the same key.',
  IDEMPOTENCY_KEY_REUSED: 'The key was used with other arguments. Use a new key for another call.',
  INSUFFICIENT_CREDITS: 'Ask the operator for credits.',
  KNOWLEDGE_BASE_NOT_FOUND: 'Find the id with get_agent: it lists the knowledge bases of the agent.',
  OUT_OF_SCOPE:
    'This credential is limited. Use a tool and an agent that it reaches, or ask for another credential.',
  OUTCOME_UNKNOWN:
    'Look before you repeat it: find_calls, explain_campaign or explain_call show what was done.',
  RATE_LIMITED: 'Wait for the time that it says.',
  VALIDATION_FAILED: 'Correct the arguments and call the tool again.',
  WORKSPACE_BUSY: 'Call the tool again in a few seconds.',
  WORKSPACE_SUSPENDED: 'Only the operator can resume the workspace.',
};

/** The names of the arguments that the classes of the REST API call otherwise. */
const ARGUMENTS: Record<string, string> = {
  dynamic_variables: 'variables',
  start_date: 'from',
  end_date: 'to',
};

const toArguments = (text: string) =>
  text.replace(/\b[a-z_]+\b/g, (name) =>
    Object.hasOwn(ARGUMENTS, name) ? (ARGUMENTS[name] as string) : name,
  );

/** An error of a class has the location of its field. */
function describeField({ field, message }: FieldError): string {
  const [, ofClass] = /^(?:body|query)\.(.*)$/s.exec(field) ?? [];
  return ofClass === undefined ? `${field}: ${message}` : toArguments(`${ofClass}: ${message}`);
}

/** Presents a refusal to a model: what was wrong, its code, and what to do about it. */
export function toToolError({ errorCode, message, members }: ApiError): CallToolResult {
  const fields = members.errors?.map(describeField);
  const lines = [
    `${message} (${errorCode}).`,
    members.details ?? members.error?.details,
    ...(fields ?? []),
    ADVICE[errorCode] ?? ERROR_CODES[errorCode].meaning,
  ];
  return { isError: true, content: [{ type: 'text', text: lines.filter(Boolean).join('\n') }] };
}
