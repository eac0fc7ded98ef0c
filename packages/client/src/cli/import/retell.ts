import type { AgentImport, Rules } from './agent-import';
import type { Platform } from './platform';
import {
  byWord,
  fromMilliseconds,
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
import type { Part } from './source';
import { ToolImport } from './tool-import';

const ON_NO_SCALE = 'Parley has no such scale';
const KNOWLEDGE = 'add its documents to a knowledge base, and name that in knowledge';
const WEBHOOKS = 'the addresses of webhooks are settings of the workspace';
const KEEPING = 'a workspace says how long its calls are kept';

const RULES: Rules = {
  'agent.agent_id': own('_id'),
  'agent.version': own('deployment.version'),
  'agent.base_version': own('deployment.version'),
  'agent.is_published': own('deployment.status'),
  'agent.last_modification_timestamp': own('updatedAt'),
  'agent.response_engine.type': only(
    'retell-llm',
    'prompt',
    'only the prompt of a Retell LLM can be taken over',
  ),
  'agent.response_engine.llm_id': own('_id'),
  'agent.response_engine.version': own('deployment.version'),
  'agent.agent_name': intoName,
  'agent.channel': byWord('type', { voice: 'hybrid', chat: 'chat' }),

  'agent.voice_id': intoVoice,
  'agent.voice_speed': into('voiceConfig.speed'),
  'agent.voice_model': refused('the provider of the voice decides on its model'),
  'agent.voice_temperature': refused(ON_NO_SCALE),
  'agent.volume': refused(ON_NO_SCALE),
  'agent.responsiveness': refused(ON_NO_SCALE),
  'agent.interruption_sensitivity': refused(ON_NO_SCALE),
  'agent.language': intoLanguage,
  'agent.timezone': intoTimeZone,

  'agent.max_call_duration_ms': intoMaximumDuration(fromMilliseconds),
  'agent.end_call_after_silence_ms': intoSilence(fromMilliseconds),

  'agent.enable_backchannel': into('backChannelConfig.isEnabled'),
  'agent.backchannel_frequency': into('backChannelConfig.frequency'),
  'agent.backchannel_words': into('backChannelConfig.backchannelWords'),
  'agent.ambient_sound': byWord('callConfig.backGroundNoiseEnv', {
    'coffee-shop': 'cafe',
    'call-center': 'call-center',
  }),
  'agent.denoising_mode': byWord('sttConfig.ncEnabled', {
    'no-denoise': false,
    'noise-cancellation': true,
    'noise-and-background-speech-cancellation': true,
  }),
  'agent.boosted_keywords': into('sttConfig.keywords'),
  'agent.custom_stt_config.provider': into('sttConfig.provider'),
  'agent.custom_stt_config.endpointing_ms': into('sttConfig.utterance_end_ms'),
  'agent.handbook_config.natural_filler_words': into('fillerWords'),
  'agent.webhook_url': refused(WEBHOOKS),
  'agent.webhook_events': refused(WEBHOOKS),
  'agent.webhook_timeout_ms': refused(WEBHOOKS),
  'agent.data_storage_setting': refused(KEEPING),
  'agent.data_storage_retention_days': refused(KEEPING),
  'agent.enable_dynamic_voice_speed': onlyOff(),
  'agent.enable_dynamic_responsiveness': onlyOff(),
  'agent.enable_expressive_mode': onlyOff(),
  'agent.allow_dtmf_interruption': onlyOff(),
  'agent.begin_message_delay_ms': onlyOff(),

  'llm.llm_id': own('_id'),
  'llm.version': own('deployment.version'),
  'llm.is_published': own('deployment.status'),
  'llm.last_modification_timestamp': own('updatedAt'),
  'llm.model': intoModel('openai'),
  'llm.s2s_model': intoModel('openai-realtime'),
  'llm.model_temperature': into('llmConfig.temperature'),
  'llm.model_high_priority': onlyOff(),
  'llm.tool_call_strict_mode': settled('tools: the server checks the arguments'),
  'llm.general_prompt': intoText('prompt'),
  'llm.knowledge_base_ids': onlyEmpty(KNOWLEDGE),
  'llm.states': onlyEmpty('an agent has one prompt for the whole call'),
  'llm.starting_state': refused('an agent has one prompt for the whole call'),
  'llm.mcps': onlyEmpty('name the tools of the server that are allowed: parley tools create'),
  conversation_flow: refused('the steps of a flow have no counterpart: write them into the prompt'),
};

/** The providers of voices, by the beginnings of Retell's names of voices. */
const VOICES: [beginning: string, provider: string][] = [
  ['11labs-', 'elevenlabs'],
  ['openai-', 'openai'],
  ['cartesia-', 'cartesia'],
  ['deepgram-', 'deepgram'],
  ['minimax-', 'minimax'],
];

function intoVoice(part: Part, agent: AgentImport): void {
  if (part.value === undefined || part.value === null) return;
  const provider = VOICES.find(([beginning]) => part.text.startsWith(beginning))?.[1] ?? 'retell';
  const note = " (Retell's name of it: write the provider's)";
  agent.put(part, { 'voiceConfig.voiceId': part.value, 'voiceConfig.provider': provider }, note);
}

function readGreeting(agent: AgentImport): void {
  const [speaker, message] = [agent.source.at('llm.start_speaker'), agent.source.at('llm.begin_message')];
  if (speaker.text === 'user') {
    agent.put(speaker, { greeting: '' });
    if (message.text !== '') message.refused('the agent waits for the person, so that it is not said');
    else if (message.value === '') message.understood('greeting');
    return;
  }
  const isMadeUp = message.value === undefined || message.value === null;
  if (isMadeUp && speaker.value !== undefined)
    speaker.refused('the model makes up the first words there: give the agent a greeting');
  else if (speaker.text === 'agent') speaker.understood('greeting');
  intoText('greeting')(message, agent);
}

function readReminders(agent: AgentImport): void {
  const { source } = agent;
  const [count, time] = [source.at('agent.reminder_max_count'), source.at('agent.reminder_trigger_ms')];
  if (count.value === 0) {
    agent.put(count, { 'callConfig.idleReminders': [false, 10] });
    if (typeof time.value === 'number') time.understood('callConfig.idleReminders, which are off');
    return;
  }
  if (count.value !== undefined)
    count.refused('the runtime decides how often an agent reminds, such as three times');
  intoReminder(fromMilliseconds)(time, agent);
}

function readVoicemail(agent: AgentImport): void {
  const action = agent.source.at('agent.voicemail_option.action');
  const type = action.at('type');
  if (!['hangup', 'static_text'].includes(type.text)) {
    if (type.value !== undefined) action.refused('an agent says a fixed text to a voicemail, or hangs up');
    return;
  }
  agent.put(type, { 'callConfig.voicemailDetection.enabled': true });
  if (type.text === 'static_text') intoVoicemail(action.at('text'), agent);
}

function readTools(agent: AgentImport): void {
  for (const part of agent.source.at('llm.general_tools').items) {
    const type = part.at('type');
    if (type.text === 'custom') readRequest(part, agent);
    else if (type.text === 'transfer_call') readTransfer(part, agent);
    else if (type.text === 'end_call' || type.text === 'press_digit') {
      const name = type.text === 'end_call' ? 'end_call' : 'press_keys';
      agent.apply(part, {
        type: settled(`${name}, which each agent has`),
        name: settled(`${name}, which each agent has`),
        description: refused('the prompt says when'),
        speak_during_execution: onlyOff('the prompt says what the agent says before'),
      });
    } else part.refused('tools of this type have no counterpart');
  }
}

function readRequest(part: Part, agent: AgentImport): void {
  const isAtRoot = part.at('args_at_root').value === true;
  const tool = new ToolImport(part, agent)
    .readName(part.at('name'))
    .readDescription(part.at('description'))
    .readMethod(part.at('method'), 'POST')
    .readParameters(part.at('parameters'))
    .readUrl(part.at('url'), isAtRoot ? '' : ' (it gets the arguments alone, without the call around them)')
    .readQuery(part.at('query_params'))
    .readTimeout(part.at('timeout_ms'), 1, 120_000)
    .mark(part.at('type'), 'kind');
  for (const [name, value] of part.at('headers').entries) tool.readHeader(name, value);
  for (const [name, path] of part.at('response_variables').entries) tool.readResult([path], name, path.text);
  const speaks = part.at('speak_during_execution');
  const words = part.at('execution_message_description');
  if (speaks.value === true && part.at('execution_message_type').text === 'static_text') {
    tool.mark(speaks, 'say').mark(part.at('execution_message_type'), 'say').readSay(words);
  } else if (speaks.value === true) speaks.refused('the words before a tool are a text: write it into say');
  else if (speaks.value === false) {
    agent.apply(part, {
      speak_during_execution: onlyOff(),
      execution_message_description: settled('nothing: it is not said'),
      execution_message_type: settled('nothing: it is not said'),
    });
  }
  agent.apply(part, {
    args_at_root: (root) => {
      if (root.value === false) root.refused('tools send the arguments at the root');
      else if (root.value === true) tool.mark(root, 'url');
    },
    parameter_type: settled('nothing: it is about the editor'),
    enable_typing_sound: onlyOff(),
  });
  if (part.at('speak_after_execution').value === true) tool.mark(part.at('speak_after_execution'), 'mode');
  tool.finish();
}

function readTransfer(part: Part, agent: AgentImport): void {
  const destination = part.at('transfer_destination');
  const why =
    destination.at('type').text === 'predefined'
      ? agent.actions.addTransfer(destination.at('number'), part.at('name'))
      : 'a transfer needs a number that is in the file';
  if (why !== undefined) {
    part.refused(why);
    return;
  }
  agent.apply(part, {
    type: settled('actions'),
    'transfer_destination.type': settled('actions'),
    'transfer_option.type': only(
      'cold_transfer',
      'actions',
      'a transfer connects at once, without an announcement',
    ),
    description: refused('a transfer has a name only: the prompt says when'),
    speak_during_execution: onlyOff('the prompt says what the agent says before'),
    ignore_e164_validation: onlyOff('each number is checked'),
  });
}

const FIELD_TYPES: Record<string, string> = {
  string: 'string',
  enum: 'string',
  number: 'number',
  boolean: 'boolean',
};

function readAnalysis(agent: AgentImport): void {
  for (const field of agent.source.at('agent.post_call_analysis_data').items) {
    const type = field.at('type').text;
    if (field.at('name').text === 'call_summary')
      field.understood('the summary, which runtimes make of each call');
    else if (Object.hasOwn(FIELD_TYPES, type))
      agent.analysis.addField(field, field.at('name').text, FIELD_TYPES[type] ?? type);
    else field.refused('Parley has no such field');
  }
}

function readVariables(agent: AgentImport): void {
  for (const [name, part] of agent.source.at('llm.default_dynamic_variables').entries)
    agent.declare(part, name);
}

export const RETELL: Platform = {
  variables: {
    renamed: new Map([['current_time', 'now']]),
    foreign:
      /^(?:current_(?:time|hour|calendar|agent).*|(?:user|agent)_number|call_(?:id|type)|direction|session_\w+|previous_agent_state)$/,
  },
  defaults: {
    type: 'hybrid',
    greeting: '',
    primaryLanguage: 'en-US',
    'voiceConfig.language': 'en-US',
    'llmConfig.temperature': 0,
    'timeoutConfig.silenceTimeout': 600,
    'callConfig.idleReminders': [true, 10],
    ...maximumDuration(3_600),
  },
  findMismatch: ({ agent, llm }) => {
    const { response_engine: engine } = (agent ?? {}) as { response_engine?: { type?: unknown } };
    if (typeof engine !== 'object' || engine === null)
      return 'is no object with what get-agent and get-retell-llm of Retell answer, as agent and llm';
    const isComplete = engine.type !== 'retell-llm' || (typeof llm === 'object' && llm !== null);
    return isComplete ? undefined : 'has no llm: add what get-retell-llm of Retell answers';
  },
  read: (agent) => {
    agent.apply(agent.source, RULES);
    readGreeting(agent);
    readReminders(agent);
    readVoicemail(agent);
    readTools(agent);
    readAnalysis(agent);
    readVariables(agent);
  },
};
