/** The rules of the chat completions of OpenAI, as their reference says. */

type Members = Record<string, unknown>;

/** An error as the body of the answer has it, with its status. */
export interface Refusal {
  status: number;
  code: string | null;
  param: string | null;
  message: string;
}

/** The models that exist. The second list takes `max_completion_tokens` only. */
export const MODELS = ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'gpt-4.1-mini'];
export const REASONING_MODELS = ['o4-mini', 'gpt-5', 'gpt-5-mini'];

const PARAMETERS = [
  ...['model', 'messages', 'temperature', 'top_p', 'n', 'stop', 'seed', 'user', 'metadata', 'store'],
  ...['max_tokens', 'max_completion_tokens', 'presence_penalty', 'frequency_penalty', 'logit_bias'],
  ...['tools', 'tool_choice', 'parallel_tool_calls', 'response_format', 'stream', 'stream_options'],
  ...['reasoning_effort', 'service_tier', 'logprobs', 'top_logprobs', 'modalities', 'prediction'],
];
const MESSAGE: Record<string, string[]> = {
  developer: ['role', 'content', 'name'],
  system: ['role', 'content', 'name'],
  user: ['role', 'content', 'name'],
  assistant: ['role', 'content', 'name', 'refusal', 'tool_calls'],
  tool: ['role', 'content', 'tool_call_id'],
};
const NAME = /^[\w-]{1,64}$/;

export const toMembers = (value: unknown): Members =>
  (typeof value === 'object' && value !== null ? value : {}) as Members;
const isAbsent = (value: unknown) => value === undefined || value === null;

const refuse = (code: string | null, param: string | null, message: string): Refusal => ({
  ...{ status: 400, code, param, message },
});
const wrongType = (param: string) => refuse('invalid_type', param, `Invalid type for '${param}'.`);
const wrongValue = (param: string) => refuse('invalid_value', param, `Invalid value for '${param}'.`);
const missing = (param: string) =>
  refuse('missing_required_parameter', param, `Missing required parameter: '${param}'.`);

function findUnknown(given: Members, known: string[], path = ''): Refusal | undefined {
  const name = Object.keys(given).find((each) => !known.includes(each));
  return name === undefined
    ? undefined
    : refuse('unknown_parameter', `${path}${name}`, `Unknown parameter: '${path}${name}'.`);
}

/** @returns the answer with which OpenAI refuses a request that has the right key */
export function findWrong(body: Members): Refusal | undefined {
  const { model, messages } = body;
  if (typeof model !== 'string' || model === '')
    return refuse(null, null, 'you must provide a model parameter');
  if (![...MODELS, ...REASONING_MODELS].includes(model))
    return {
      ...{ status: 404, code: 'model_not_found', param: null },
      message: `The model \`${model}\` does not exist or you do not have access to it.`,
    };
  if (messages === undefined) return missing('messages');
  if (!Array.isArray(messages)) return wrongType('messages');
  if (messages.length === 0) return refuse('empty_array', 'messages', "Invalid 'messages': empty array.");
  return (
    findUnknown(body, PARAMETERS) ??
    findWrongNumber(body) ??
    findWrongLimit(body) ??
    findWrongStream(body) ??
    findWrongTools(body) ??
    findWrongMessage(messages.map(toMembers)) ??
    findWrongFormat(body, JSON.stringify(messages))
  );
}

function findWrongNumber(body: Members): Refusal | undefined {
  for (const [name, min, max] of [
    ['temperature', 0, 2],
    ['top_p', 0, 1],
    ['presence_penalty', -2, 2],
    ['frequency_penalty', -2, 2],
  ] as const) {
    const value = body[name];
    if (isAbsent(value)) continue;
    if (typeof value !== 'number') return wrongType(name);
    if (value < min) return refuse('decimal_below_min_value', name, `Invalid '${name}': below ${min}.`);
    if (value > max) return refuse('decimal_above_max_value', name, `Invalid '${name}': above ${max}.`);
  }
  return undefined;
}

function findWrongLimit(body: Members): Refusal | undefined {
  for (const name of ['max_tokens', 'max_completion_tokens']) {
    const value = body[name];
    if (isAbsent(value)) continue;
    if (!Number.isInteger(value)) return wrongType(name);
    if (Number(value) < 1) return refuse('integer_below_min_value', name, `Invalid '${name}': below 1.`);
  }
  const [old, newer] = [!isAbsent(body.max_tokens), !isAbsent(body.max_completion_tokens)];
  if (old && REASONING_MODELS.includes(String(body.model)))
    return refuse(
      'unsupported_parameter',
      'max_tokens',
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    );
  return old && newer
    ? refuse('invalid_parameter_combination', 'max_tokens', 'Only one of both limits can be set.')
    : undefined;
}

function findWrongStream({ stream, stream_options: options }: Members): Refusal | undefined {
  if (!isAbsent(stream) && typeof stream !== 'boolean') return wrongType('stream');
  if (isAbsent(options)) return undefined;
  const { include_usage: isAsked } = toMembers(options);
  if (stream !== true)
    return refuse(null, 'stream_options', "'stream_options' is only allowed when 'stream' is enabled.");
  if (isAsked !== undefined && typeof isAsked !== 'boolean') return wrongType('stream_options.include_usage');
  return findUnknown(toMembers(options), ['include_usage', 'include_obfuscation'], 'stream_options.');
}

function findWrongTools({ tools, tool_choice: choice }: Members): Refusal | undefined {
  if (isAbsent(tools))
    return isAbsent(choice)
      ? undefined
      : refuse(null, 'tool_choice', "'tool_choice' is only allowed when 'tools' are specified.");
  if (!Array.isArray(tools)) return wrongType('tools');
  if (tools.length === 0) return refuse('empty_array', 'tools', "Invalid 'tools': empty array.");
  for (const [index, tool] of tools.map(toMembers).entries()) {
    const path = `tools[${index}].`;
    const called = toMembers(tool.function);
    if (tool.type !== 'function') return wrongValue(`${path}type`);
    if (typeof called.name !== 'string') return missing(`${path}function.name`);
    if (!NAME.test(called.name)) return wrongValue(`${path}function.name`);
    const { parameters } = called;
    if (parameters !== undefined && toMembers(parameters).type !== 'object')
      return refuse('invalid_function_parameters', `${path}function.parameters`, 'Invalid schema.');
    const unknown =
      findUnknown(tool, ['type', 'function'], path) ??
      findUnknown(called, ['name', 'description', 'parameters', 'strict'], `${path}function.`);
    if (unknown) return unknown;
  }
  const isWord = ['auto', 'none', 'required', undefined, null].includes(choice as string);
  return isWord || toMembers(choice).type === 'function' ? undefined : wrongValue('tool_choice');
}

/** Each call of a tool is answered by a message of its own, right after the message that has the call. */
function findWrongMessage(messages: Members[]): Refusal | undefined {
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const path = `messages[${index}].`;
    const { role, content, tool_calls: calls, tool_call_id: id } = message;
    const known = MESSAGE[String(role)];
    if (!known) return wrongValue(`${path}role`);
    if (role === 'tool') {
      if (typeof id !== 'string') return missing(`${path}tool_call_id`);
      if (!open.delete(id))
        return refuse(
          null,
          `messages.[${index}].role`,
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        );
    } else if (open.size > 0) return findUnanswered(open, index);
    const unknown = findUnknown(message, known, path);
    if (unknown) return unknown;
    if (typeof content !== 'string' && !(isAbsent(content) && Array.isArray(calls)))
      return wrongType(`${path}content`);
    if (calls === undefined) continue;
    const wrong = findWrongCalls(calls, path);
    if (wrong) return wrong;
    open = new Set((calls as unknown[]).map((call) => String(toMembers(call).id)));
  }
  return open.size > 0 ? findUnanswered(open, messages.length) : undefined;
}

const findUnanswered = (open: ReadonlySet<string>, index: number) =>
  refuse(
    null,
    `messages.[${index}].role`,
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
      `The following tool_call_ids did not have response messages: ${[...open].join(', ')}`,
  );

function findWrongCalls(calls: unknown, path: string): Refusal | undefined {
  if (!Array.isArray(calls)) return wrongType(`${path}tool_calls`);
  if (calls.length === 0)
    return refuse('empty_array', `${path}tool_calls`, `Invalid '${path}tool_calls': empty array.`);
  const ids = new Set<string>();
  for (const [index, call] of calls.map(toMembers).entries()) {
    const at = `${path}tool_calls[${index}].`;
    const { name, arguments: given } = toMembers(call.function);
    if (typeof call.id !== 'string' || ids.has(call.id)) return wrongValue(`${at}id`);
    if (call.type !== 'function') return wrongValue(`${at}type`);
    if (typeof name !== 'string' || !NAME.test(name)) return wrongValue(`${at}function.name`);
    if (typeof given !== 'string') return wrongType(`${at}function.arguments`);
    const unknown = findUnknown(call, ['id', 'type', 'function'], at);
    if (unknown) return unknown;
    ids.add(call.id);
  }
  return undefined;
}

function findWrongFormat({ response_format: format }: Members, messages: string): Refusal | undefined {
  if (isAbsent(format)) return undefined;
  const { type } = toMembers(format);
  if (!['text', 'json_object', 'json_schema'].includes(String(type)))
    return wrongValue('response_format.type');
  // Without it, a model may write white space for ever.
  return type === 'json_object' && !/json/i.test(messages)
    ? refuse(null, 'messages', "'messages' must contain the word 'json' in some form.")
    : undefined;
}
