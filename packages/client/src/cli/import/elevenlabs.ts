import type { AgentImport, Rules } from './agent-import';
import type { Platform } from './platform';
import {
  byWord,
  into,
  intoLanguage,
  intoMaximumDuration,
  intoModel,
  intoName,
  intoReminder,
  intoSilence,
  intoText,
  intoTimeZone,
  intoVoicemail,
  maximumDuration,
  only,
  onlyEmpty,
  onlyOff,
  own,
  refused,
  settled,
} from './rules';
import { NOT_SET, type Part } from './source';
import { ToolImport } from './tool-import';

const KNOWLEDGE = 'add its documents to a knowledge base, and name that in knowledge';
const KEEPING = 'a workspace says how long its calls are kept';
const LONGEST_ANSWER = 4_096;

const RULES: Rules = {
  agent_id: own('_id'),
  version_id: own('deployment.version'),
  branch_id: own('deployment.version'),
  main_branch_id: own('deployment.version'),
  'metadata.created_at_unix_secs': own('createdAt'),
  'metadata.updated_at_unix_secs': own('updatedAt'),
  name: intoName,
  tags: into('category'),
  phone_numbers: refused('assign a number to the agent: parley numbers assign'),
  workflow: refused('the steps of a workflow have no counterpart: write them into the prompt'),
};

const CONVERSATION: Rules = {
  'agent.first_message': intoText('greeting'),
  'agent.language': intoLanguage,
  'agent.prompt.prompt': intoText('prompt'),
  'agent.prompt.llm': intoModel('elevenlabs'),
  'agent.prompt.temperature': into('llmConfig.temperature'),
  'agent.prompt.max_tokens': into('llmConfig.maxTokens', (tokens) =>
    tokens === -1 ? LONGEST_ANSWER : tokens,
  ),
  'agent.prompt.timezone': intoTimeZone,
  'agent.prompt.custom_llm.model_id': into('llmConfig.model'),
  'agent.prompt.custom_llm.url': refused('runtimes reach the servers of models by their own settings'),
  'agent.prompt.custom_llm.api_key': refused('keys of models are settings of the runtime'),
  'agent.prompt.knowledge_base': onlyEmpty(KNOWLEDGE),
  'agent.prompt.tool_ids': readToolIds,
  'agent.prompt.mcp_server_ids': onlyEmpty(
    'name the tools of the server that are allowed: parley tools create',
  ),
  'agent.prompt.native_mcp_server_ids': onlyEmpty(
    'name the tools of the server that are allowed: parley tools create',
  ),
  'agent.disable_first_message_interruptions': onlyOff('everything that an agent says can be interrupted'),
  'agent.hinglish_mode': onlyOff(),

  'tts.voice_id': intoVoice,
  'tts.model_id': refused('the provider of the voice decides on its model'),
  'tts.stability': into('voiceConfig.stability'),
  'tts.similarity_boost': into('voiceConfig.similarity'),
  'tts.speed': into('voiceConfig.speed'),
  'tts.optimize_streaming_latency': into('voiceConfig.latency'),
  'tts.agent_output_audio_format': settled('nothing: the carrier decides on the format'),
  'tts.expressive_mode': onlyOff(),
  'tts.enable_phoneme_tags': onlyOff(),
  'tts.pronunciation_dictionary_locators': onlyEmpty('Parley has no such setting'),
  'tts.supported_voices': onlyEmpty('an agent has one voice'),

  'asr.provider': into('sttConfig.provider'),
  'asr.keywords': into('sttConfig.keywords'),
  'asr.user_input_audio_format': settled('nothing: the carrier decides on the format'),

  'conversation.max_duration_seconds': intoMaximumDuration(),
  'conversation.text_only': intoType,
  'conversation.client_events': settled('nothing: it is about the connection of a client'),
  'conversation.monitoring_enabled': onlyOff('those who may end a call may listen to it'),
  'turn.silence_end_call_timeout': intoSilence(),
  'turn.turn_timeout': intoReminder(),
  'turn.turn_eagerness': byWord('voiceConfig.patienceLevel', { eager: 1, normal: 2, patient: 3 }),
  'turn.soft_timeout_config.timeout_seconds': intoFillers,
  'turn.speculative_turn': onlyOff(),
};

const PLATFORM: Rules = {
  'privacy.record_voice': into('callConfig.recordingEnabled'),
  'privacy.retention_days': refused(KEEPING),
  widget: refused('the texts of a widget are its own: parley has them in the console'),
  archived: (part, agent) => {
    if (typeof part.value === 'boolean') agent.put(part, { status: !part.value });
  },
};

/** The answer of GET has the tools themselves as well, unless they are in another place. */
function readToolIds(part: Part, agent: AgentImport): void {
  const tools = agent.source.at('conversation_config.agent.prompt.tools').items.length;
  if (part.items.length === 0 || tools > 0) intoTools(part, agent);
  else
    part.refused(
      'these tools are not in the file: put the tool_config of GET /v1/convai/tools/{id} into tools',
    );
}

const intoTools = settled('tools, which the file has as well');

function intoVoice(part: Part, agent: AgentImport): void {
  if (part.value !== undefined && part.value !== null)
    agent.put(part, { 'voiceConfig.voiceId': part.value, 'voiceConfig.provider': 'elevenlabs' });
}

function intoType(part: Part, agent: AgentImport): void {
  if (part.value === true) agent.put(part, { type: 'chat' });
  else if (part.value === false) agent.put(part, { type: 'hybrid' });
}

/** A filler after a time; less than 0: none. */
function intoFillers(part: Part, agent: AgentImport): void {
  if (typeof part.value === 'number') agent.put(part, { fillerWords: part.value > 0 });
}

/** The languages beside the first one. What an agent says in each has no counterpart. */
function readLanguages(agent: AgentImport): void {
  const presets = agent.source.at('conversation_config.language_presets');
  if (presets.entries.length === 0) {
    if (presets.value !== undefined && presets.value !== null) presets.understood('nothing: it is empty');
    return;
  }
  const languages = presets.entries.map(([language]) => language);
  const problem = agent.definition.put({ secondaryLanguages: languages, multiLingual: true });
  for (const [, preset] of presets.entries)
    preset.refused(
      problem ??
        'the language itself is in secondaryLanguages; an agent has one greeting, one prompt and one voice',
    );
}

function readTools(agent: AgentImport): void {
  const prompt = agent.source.at('conversation_config.agent.prompt');
  const builtIn = prompt.at('built_in_tools').entries.map(([, part]) => part);
  const listed = prompt.at('tools').items;
  // Files have the built-in tools in one place, in the other, or in both.
  const systems = new Set<string>();
  for (const part of [...builtIn, ...listed]) {
    const type = part.at('type').text;
    if (part.value === null) continue;
    if (type === 'webhook') readRequest(part, agent);
    else if (type !== 'system' && part.at('params.system_tool_type').value === undefined)
      part.refused('tools of this type have no counterpart');
    else if (systems.has(part.at('params.system_tool_type').text))
      part.understood('the same tool in another place');
    else {
      systems.add(part.at('params.system_tool_type').text);
      readSystemTool(part, agent);
    }
  }
}

/** The settings of system tools, which mostly say nothing. */
const EMPTY_SETTINGS: Rules = {
  description: onlyOff('the prompt says when'),
  disable_interruptions: onlyOff('everything that an agent says can be interrupted'),
  force_pre_tool_speech: onlyOff('the prompt says what the agent says before'),
  pre_tool_speech: only('auto', 'nothing: the model decides', 'the prompt says what the agent says before'),
  interruption_mode: only('allow', 'nothing: it is so', 'everything that an agent says can be interrupted'),
  assignments: onlyEmpty('the results of such a tool have no place'),
  'dynamic_variables.dynamic_variable_placeholders': settled('nothing: they are for tests'),
  tool_error_handling_mode: only('auto', 'nothing: the model reads errors', 'the model reads each error'),
  tool_call_sound_behavior: settled('nothing: there is no sound'),
  response_timeout_secs: settled('nothing: such a tool takes no time'),
};

const BUILT_IN: Record<string, string> = {
  end_call: 'end_call, which each agent has',
  play_keypad_touch_tone: 'press_keys, which each agent has',
  language_detection: 'multiLingual',
};

function readSystemTool(part: Part, agent: AgentImport): void {
  const [kind, type, name] = [part.at('params.system_tool_type'), part.at('type'), part.at('name')];
  const settle = (to: string) => {
    agent.apply(part, EMPTY_SETTINGS);
    for (const each of [kind, type, name]) if (each.value !== undefined) each.understood(to);
  };
  if (Object.hasOwn(BUILT_IN, kind.text)) {
    settle(BUILT_IN[kind.text] ?? '');
    if (kind.text === 'language_detection') agent.definition.put({ multiLingual: true });
  } else if (kind.text === 'voicemail_detection') {
    settle('callConfig.voicemailDetection.enabled');
    agent.definition.put({ 'callConfig.voicemailDetection.enabled': true });
    intoVoicemail(part.at('params.voicemail_message'), agent);
  } else if (kind.text === 'transfer_to_number') {
    settle('actions');
    for (const transfer of part.at('params.transfers').items) readTransfer(transfer, agent);
    agent.apply(part, {
      'params.enable_client_message': onlyOff('the prompt says what the agent says before'),
    });
  } else part.refused('tools of this type have no counterpart');
}

function readTransfer(part: Part, agent: AgentImport): void {
  const destination = part.at('transfer_destination');
  const number =
    destination.at('phone_number').value === undefined
      ? part.at('phone_number')
      : destination.at('phone_number');
  const isNumber = [undefined, 'phone'].includes(destination.at('type').value as string);
  const why = isNumber
    ? agent.actions.addTransfer(number, part.at('condition'))
    : 'a transfer needs a number that is in the file';
  if (why !== undefined) {
    part.refused(why);
    return;
  }
  if (number !== part.at('phone_number') && part.at('phone_number').value === number.value)
    part.at('phone_number').understood('actions');
  agent.apply(part, {
    'transfer_destination.type': settled('actions'),
    transfer_type: only('blind', 'actions', 'a transfer connects at once, without an announcement'),
    custom_sip_headers: onlyEmpty('a transfer has a number only'),
  });
}

/** The parts of a property that say where its value is from, if it is not from the model. */
function takeFixed(tool: ToolImport) {
  return (name: string, property: Part): boolean => {
    const [variable, constant] = [property.at('dynamic_variable'), property.at('constant_value')];
    const isConstant = !['', undefined, null].includes(constant.value as string);
    if (property.at('is_omitted').value === true) {
      property.understood(NOT_SET);
      return true;
    }
    if (variable.text === '' && !isConstant) return false;
    if (isConstant) tool.readFixed(constant, name, constant.value, property);
    else tool.readFixed(variable, name, `{{${variable.text}}}`, property);
    return true;
  };
}

function readRequest(part: Part, agent: AgentImport): void {
  const schema = part.at('api_schema');
  const tool = new ToolImport(part, agent);
  const takeOut = takeFixed(tool);
  const isAsync = part.at('execution_mode').text === 'async';
  const query = schema.at('query_params_schema');
  const isQuery = ['', 'GET', 'DELETE'].includes(schema.at('method').text.toUpperCase());
  tool
    .readName(part.at('name'))
    .readDescription(part.at('description'))
    .readMethod(schema.at('method'), 'GET')
    .readPathParameters(schema.at('path_params_schema'))
    .readParameters(schema.at('request_body_schema'), takeOut)
    .readUrl(schema.at('url'))
    .readBackground(part.at('execution_mode'), isAsync)
    .readTimeout(part.at('response_timeout_secs'), 1_000, 20_000)
    .mark(part.at('type'), 'kind');
  if (isQuery) tool.readParameters(query, takeOut);
  else if (query.entries.length > 0) query.refused('the arguments of this method are in the body alone');
  for (const [name, header] of schema.at('request_headers').entries) {
    const [secret, environment] = [header.at('secret_id'), header.at('env_var_label')];
    const named = secret.value === undefined ? environment : secret;
    if (typeof header.value === 'string') tool.readHeader(name, header);
    else if (named.value !== undefined) tool.readHeader(name, header, null);
    else header.refused('a header has no variables, but secrets');
  }
  for (const each of part.at('assignments').items) {
    const [variable, path] = [each.at('dynamic_variable'), each.at('value_path')];
    tool.readResult([variable, path], variable.text, path.text).mark(each.at('source'), 'results');
  }
  const { description: _, assignments: __, response_timeout_secs: ___, ...settings } = EMPTY_SETTINGS;
  agent.apply(part, {
    ...settings,
    'api_schema.content_type': only('application/json', 'what tools send is JSON', 'tools send JSON only'),
  });
  tool.finish();
}

const FIELD_TYPES = ['string', 'number', 'integer', 'boolean'];

function readAnalysis(agent: AgentImport): void {
  const settings = agent.source.at('platform_settings');
  for (const [name, field] of settings.at('data_collection').entries) {
    const type = field.at('type').text;
    const variable = field.at('dynamic_variable').text;
    if (!FIELD_TYPES.includes(type)) field.refused('Parley has no such field');
    else agent.analysis.addField(field, name, type, variable === '' ? undefined : `variable:${variable}`);
    agent.apply(field, {
      dynamic_variable: variable === '' ? onlyOff() : settled('analysis.fields (from)'),
      constant_value: onlyOff(),
      is_system_provided: onlyOff(),
      is_omitted: onlyOff(),
      enum: onlyEmpty('it has the choices already'),
    });
  }
  for (const criterion of settings.at('evaluation.criteria').items) {
    agent.analysis.addCriterion(criterion, criterion.at('name'), criterion.at('conversation_goal_prompt'));
    agent.apply(criterion, {
      id: own('the name of the criterion'),
      type: only('prompt', 'analysis.criteria', 'Parley has no such criterion'),
      use_knowledge_base: onlyOff(),
    });
  }
}

function readVariables(agent: AgentImport): void {
  const placeholders = 'conversation_config.agent.dynamic_variables.dynamic_variable_placeholders';
  for (const [name, part] of agent.source.at(placeholders).entries) agent.declare(part, name);
}

export const ELEVENLABS: Platform = {
  variables: {
    renamed: new Map([
      ['system__time', 'now'],
      ['system__time_utc', 'now'],
    ]),
    foreign: /^(?:system|secret)__/,
  },
  defaults: {
    type: 'hybrid',
    greeting: '',
    primaryLanguage: 'en',
    'voiceConfig.language': 'en',
    'llmConfig.temperature': 0,
    'timeoutConfig.silenceTimeout': 3_600,
    'callConfig.idleReminders': [true, 7],
    ...maximumDuration(600),
  },
  findMismatch: ({ conversation_config: config }) =>
    typeof config === 'object' && config !== null
      ? undefined
      : 'is no agent as GET /v1/convai/agents/{agent_id} of ElevenLabs answers it',
  read: (agent) => {
    agent.apply(agent.source, RULES);
    agent.apply(agent.source.at('conversation_config'), CONVERSATION);
    agent.apply(agent.source.at('platform_settings'), PLATFORM);
    readLanguages(agent);
    readTools(agent);
    readAnalysis(agent);
    readVariables(agent);
  },
};
