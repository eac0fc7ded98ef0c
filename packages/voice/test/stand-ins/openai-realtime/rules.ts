/** The rules of the Realtime API of OpenAI, as its reference says. */

type Members = Record<string, unknown>;

/** An error with its code and the parameter that it is about. */
export interface Refusal {
  code: string;
  param?: string;
}

export const VOICES = [
  ...['alloy', 'ash', 'ballad', 'coral', 'echo', 'sage', 'shimmer', 'verse', 'marin', 'cedar'],
];
export const MODELS = ['gpt-realtime', 'gpt-realtime-mini', 'gpt-realtime-2', 'gpt-realtime-2.1'];
const TRANSCRIBERS = ['whisper-1', 'gpt-4o-transcribe', 'gpt-4o-mini-transcribe'];
const SESSION = [
  ...['type', 'model', 'output_modalities', 'instructions', 'max_output_tokens', 'audio', 'tools'],
  ...['tool_choice', 'include', 'tracing', 'truncation', 'prompt', 'reasoning', 'parallel_tool_calls'],
];
const RESPONSE = [
  ...['conversation', 'input', 'instructions', 'max_output_tokens', 'metadata', 'output_modalities'],
  ...['tool_choice', 'tools', 'audio', 'prompt', 'reasoning', 'parallel_tool_calls'],
];
const INPUT = ['format', 'turn_detection', 'noise_reduction', 'transcription'];
const OUTPUT = ['format', 'voice', 'speed'];

export const toMembers = (value: unknown): Members =>
  (typeof value === 'object' && value !== null ? value : {}) as Members;

const findUnknown = (given: Members, known: string[], path: string): Refusal | undefined => {
  const name = Object.keys(given).find((each) => !known.includes(each));
  return name === undefined ? undefined : { code: 'unknown_parameter', param: `${path}.${name}` };
};
const wrong = (param: string): Refusal => ({ code: 'invalid_value', param });

const isFormat = (value: unknown) => {
  const { type, rate } = toMembers(value);
  return type === 'audio/pcm' ? rate === 24_000 : type === 'audio/pcmu' || type === 'audio/pcma';
};
const isModalities = (value: unknown) =>
  value === undefined || ['["audio"]', '["text"]'].includes(JSON.stringify(value));
const isTokens = (value: unknown) =>
  value === undefined ||
  value === 'inf' ||
  (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 4_096);

function findWrongTool(tool: unknown): Refusal | undefined {
  const { type, name, parameters, ...others } = toMembers(tool);
  if (type !== 'function') return wrong('session.tools.type');
  if (typeof name !== 'string' || !/^[\w-]{1,64}$/.test(name))
    return { code: 'missing_required_parameter', param: 'session.tools.name' };
  if (toMembers(parameters).type !== 'object') return wrong('session.tools.parameters');
  return findUnknown(others, ['description'], 'session.tools');
}

export function findWrongSession(session: Members, hasSpoken: boolean): Refusal | undefined {
  if (session.type === undefined) return { code: 'missing_required_parameter', param: 'session.type' };
  if (session.type !== 'realtime') return wrong('session.type');
  const { input, output, ...rest } = toMembers(session.audio);
  const [heard, spoken] = [toMembers(input), toMembers(output)];
  const { transcription } = heard;
  const tools = Array.isArray(session.tools) ? session.tools : [];
  if (hasSpoken && spoken.voice !== undefined) return { code: 'cannot_update_voice' };
  return (
    findUnknown(session, SESSION, 'session') ??
    findUnknown(rest, [], 'session.audio') ??
    findUnknown(heard, INPUT, 'session.audio.input') ??
    findUnknown(spoken, OUTPUT, 'session.audio.output') ??
    tools.map(findWrongTool).find((each) => each !== undefined) ??
    [
      isModalities(session.output_modalities) ? undefined : wrong('session.output_modalities'),
      isTokens(session.max_output_tokens) ? undefined : wrong('session.max_output_tokens'),
      isFormat(heard.format) && isFormat(spoken.format) ? undefined : wrong('session.audio.format'),
      VOICES.includes(String(spoken.voice)) ? undefined : wrong('session.audio.output.voice'),
      Number(spoken.speed) >= 0.25 && Number(spoken.speed) <= 1.5
        ? undefined
        : wrong('session.audio.output.speed'),
      transcription === null || TRANSCRIBERS.includes(String(toMembers(transcription).model))
        ? undefined
        : wrong('session.audio.input.transcription.model'),
    ].find((each) => each !== undefined)
  );
}

/** @param calls the function calls of the conversation by their `call_id` */
export function findWrongItem(item: Members, calls: ReadonlySet<string>): Refusal | undefined {
  const { type, role, content } = item;
  if (type === 'function_call') {
    const isWhole = [item.call_id, item.name, item.arguments].every((value) => typeof value === 'string');
    return isWhole ? undefined : { code: 'missing_required_parameter', param: 'item.call_id' };
  }
  if (type === 'function_call_output') {
    if (typeof item.output !== 'string') return { code: 'invalid_type', param: 'item.output' };
    return calls.has(String(item.call_id)) ? undefined : wrong('item.call_id');
  }
  if (type !== 'message') return wrong('item.type');
  const allowed = new Map([
    ['system', ['input_text']],
    ['user', ['input_text', 'input_audio']],
    ['assistant', ['output_text']],
  ]).get(String(role));
  if (!allowed) return wrong('item.role');
  const parts = Array.isArray(content) ? content.map(toMembers) : [];
  const isRight = parts.every((part) => allowed.includes(String(part.type)) && typeof part.text === 'string');
  return parts.length > 0 && isRight ? undefined : wrong('item.content');
}

export function findWrongResponse(response: Members, calls: ReadonlySet<string>): Refusal | undefined {
  const { conversation, input, metadata, tool_choice: choice } = response;
  const items = Array.isArray(input) ? input.map(toMembers) : [];
  const isText = (value: unknown) => typeof value === 'string' && value.length <= 512;
  return (
    findUnknown(response, RESPONSE, 'response') ??
    items.map((item) => findWrongItem(item, calls)).find((each) => each !== undefined) ??
    [
      ['auto', 'none', undefined].includes(conversation as string)
        ? undefined
        : wrong('response.conversation'),
      isModalities(response.output_modalities) ? undefined : wrong('response.output_modalities'),
      isTokens(response.max_output_tokens) ? undefined : wrong('response.max_output_tokens'),
      Object.values(toMembers(metadata)).every(isText) ? undefined : wrong('response.metadata'),
      ['auto', 'none', 'required', undefined].includes(choice as string)
        ? undefined
        : wrong('response.tool_choice'),
    ].find((each) => each !== undefined)
  );
}
