import type { AgentImport, Rules } from './agent-import';
import type { Platform } from './platform';
import {
  byWord,
  into,
  intoLanguage,
  intoMaximumDuration,
  intoMetadata,
  intoName,
  intoReminder,
  intoSilence,
  intoText,
  intoVoicemail,
  maximumDuration,
  only,
  onlyOff,
  own,
  refused,
  settled,
  translated,
} from './rules';
import type { Part } from './source';
import { ToolImport } from './tool-import';

const IN_THE_PROMPT = 'the prompt has to say it';
const WEBHOOKS = 'the addresses of webhooks are settings of the workspace';
const BY_THE_SERVER = 'runtimes reach the servers of models by their own settings';

const RULES: Rules = {
  id: own('_id'),
  orgId: own('workspaceId'),
  createdAt: own('createdAt'),
  updatedAt: own('updatedAt'),
  isServerUrlSecretSet: own('the secret of webhooks'),
  name: intoName,
  metadata: intoMetadata,

  'model.provider': into('llmConfig.provider'),
  'model.model': into('llmConfig.model'),
  'model.temperature': into('llmConfig.temperature'),
  'model.maxTokens': into('llmConfig.maxTokens'),
  'model.url': refused(BY_THE_SERVER),
  'model.toolIds': refused(
    'these tools are not in the file: put what GET /tool/{id} answers into model.tools',
  ),
  'model.knowledgeBase': refused('add its documents to a knowledge base, and name that in knowledge'),
  'model.knowledgeBaseId': refused('add its documents to a knowledge base, and name that in knowledge'),
  'model.emotionRecognitionEnabled': onlyOff(),
  'model.numFastTurns': onlyOff(),

  'voice.provider': translated('voiceConfig.provider', { '11labs': 'elevenlabs' }),
  'voice.voiceId': into('voiceConfig.voiceId'),
  'voice.speed': into('voiceConfig.speed'),
  'voice.stability': into('voiceConfig.stability'),
  'voice.similarityBoost': into('voiceConfig.similarity'),
  'voice.style': into('voiceConfig.styleExaggeration'),
  'voice.useSpeakerBoost': into('callConfig.speakerBoost'),
  'voice.optimizeStreamingLatency': into('voiceConfig.latency'),
  'voice.instructions': into('voiceConfig.voicePrompt'),
  'voice.model': refused('the provider of the voice decides on its model'),

  'transcriber.provider': into('sttConfig.provider'),
  'transcriber.model': into('sttConfig.model'),
  'transcriber.language': intoLanguage,
  'transcriber.keywords': into('sttConfig.keywords'),
  'transcriber.keyterm': into('sttConfig.keyterms'),
  'transcriber.endpointing': refused('utterance_end_ms is the longest silence in a turn, not the shortest'),
  // The language of the voice counts where the file has both.
  'voice.language': into('voiceConfig.language'),

  maxDurationSeconds: intoMaximumDuration(),
  silenceTimeoutSeconds: intoSilence(),

  'startSpeakingPlan.waitSeconds': into('sttConfig.waitseconds'),
  'startSpeakingPlan.transcriptionEndpointingPlan.onPunctuationSeconds': into(
    'sttConfig.on_punctuation_second',
  ),
  'startSpeakingPlan.transcriptionEndpointingPlan.onNoPunctuationSeconds': into(
    'sttConfig.utterance_end_ms',
    (seconds) => (typeof seconds === 'number' ? Math.round(seconds * 1_000) : seconds),
  ),
  'stopSpeakingPlan.numWords': into('voiceConfig.numberOfWords'),
  'stopSpeakingPlan.voiceSeconds': into('voiceConfig.voiceSeconds'),
  'stopSpeakingPlan.backoffSeconds': into('voiceConfig.backOfSeconds'),

  'backgroundSpeechDenoisingPlan.smartDenoisingPlan.enabled': into('sttConfig.ncEnabled'),
  backgroundDenoisingEnabled: into('sttConfig.ncEnabled'),
  backchannelingEnabled: into('backChannelConfig.isEnabled'),
  fillerInjectionEnabled: into('fillerWords'),
  backgroundSound: byWord('callConfig.backGroundNoiseEnv', { off: null, office: 'office' }),
  'artifactPlan.recordingEnabled': into('callConfig.recordingEnabled'),
  'artifactPlan.transcriptPlan.enabled': into('callConfig.transcriptionEnabled'),
  recordingEnabled: into('callConfig.recordingEnabled'),

  endCallFunctionEnabled: settled('end_call, which each agent has'),
  endCallMessage: refused(IN_THE_PROMPT),
  endCallPhrases: refused(IN_THE_PROMPT),
  'analysisPlan.summaryPlan': settled('the summary, which runtimes make of each call'),
  server: refused(WEBHOOKS),
  serverUrl: refused(WEBHOOKS),
};

const ENVELOPE = ' (it gets the arguments alone, without the message of Vapi around them)';

/** The prompt is what the system says, in its order. */
function readPrompt(agent: AgentImport): void {
  const { source } = agent;
  const older = source.at('model.systemPrompt');
  const messages = source.at('model.messages').items;
  const spoken: Part[] = [];
  for (const message of messages) {
    if (message.at('role').text === 'system' && message.at('content').text !== '') spoken.push(message);
    else message.refused('an agent has a prompt only, and no messages before the call');
  }
  const texts = [...(older.text === '' ? [] : [older]), ...spoken.map((message) => message.at('content'))];
  if (texts.length === 0) return;
  const roles = spoken.map((message) => message.at('role'));
  agent.putText([...texts, ...roles], 'prompt', texts.map(({ text }) => text).join('\n\n'));
}

function readGreeting(agent: AgentImport): void {
  const [message, mode] = [agent.source.at('firstMessage'), agent.source.at('firstMessageMode')];
  if (mode.text === 'assistant-waits-for-user') {
    agent.put(mode, { greeting: '' });
    if (message.value !== undefined)
      message.refused('the agent waits for the person, so that it is not said');
    return;
  }
  if (mode.text === 'assistant-speaks-first') mode.understood('greeting');
  else if (mode.value !== undefined) mode.refused('a greeting is a text: give the agent one');
  if (/^https?:\/\/\S+$/.test(message.text)) message.refused('a greeting is a text, and no recording');
  else intoText('greeting')(message, agent);
}

function readVoicemail(agent: AgentImport): void {
  const detection = agent.source.at('voicemailDetection');
  if (detection.text === 'off') agent.put(detection, { 'callConfig.voicemailDetection.enabled': false });
  else if (detection.at('provider').value !== undefined) {
    agent.put(detection.at('provider'), { 'callConfig.voicemailDetection.enabled': true });
    agent.apply(detection, { type: into('callConfig.voicemailDetection.type') });
  }
  intoVoicemail(agent.source.at('voicemailMessage'), agent);
}

/** The hooks about a person who says nothing have a counterpart. */
function readHooks(agent: AgentImport): void {
  for (const hook of agent.source.at('hooks').items) {
    const actions = hook.at('do').items;
    const ending = actions.find((action) => action.at('tool.type').text === 'endCall');
    const action = ending ?? actions.find((each) => each.at('type').text === 'say');
    if (hook.at('on').text !== 'customer.speech.timeout' || !action) continue;
    const to = ending ? 'timeoutConfig.silenceTimeout' : 'callConfig.idleReminders';
    agent.apply(hook, {
      on: settled(to),
      'options.timeoutSeconds': ending ? intoSilence() : intoReminder(),
    });
    agent.apply(action, { type: settled(to), 'tool.type': settled(to) });
  }
}

const TOOLS: Record<string, (part: Part, agent: AgentImport) => void> = {
  function: readFunction,
  apiRequest: readRequest,
  transferCall: readTransfers,
  endCall: (part) => part.at('type').understood('end_call, which each agent has'),
  dtmf: (part) => part.at('type').understood('press_keys, which each agent has'),
};

function readTools(agent: AgentImport): void {
  for (const part of agent.source.at('model.tools').items) {
    agent.apply(part, {
      id: own('tool_id'),
      orgId: own('workspaceId'),
      createdAt: own('created_at'),
      updatedAt: own('updated_at'),
    });
    const type = part.at('type').text;
    if (Object.hasOwn(TOOLS, type)) TOOLS[type]?.(part, agent);
    else part.refused('tools of this type have no counterpart');
  }
}

/** A function without a server of its own is asked for at that of the assistant. */
function readFunction(part: Part, agent: AgentImport): void {
  const given = part.at('server.url').value === undefined ? agent.source.at('server') : part.at('server');
  const older = agent.source.at('serverUrl');
  const url = given.at('url').value === undefined ? older : given.at('url');
  const tool = new ToolImport(part, agent)
    .readName(part.at('function.name'))
    .readDescription(part.at('function.description'))
    .readMethod(part.at('server.method'), 'POST')
    .readParameters(part.at('function.parameters'))
    .readUrl(url, ENVELOPE)
    .readBackground(part.at('async'), part.at('async').value === true)
    .readTimeout(given.at('timeoutSeconds'), 1_000, 20_000);
  for (const [name, value] of given.at('headers').entries) tool.readHeader(name, value);
  finishTool(part, tool, agent);
}

/** A property with a value of its own is not chosen by the model. */
function readRequest(part: Part, agent: AgentImport): void {
  const tool = new ToolImport(part, agent);
  tool
    .readName(part.at('name'))
    .readDescription(part.at('description'))
    .readMethod(part.at('method'), 'POST')
    .readParameters(part.at('body'), (name, property) => {
      const value = property.at('value');
      if (value.value === undefined || value.value === '') return false;
      tool.readFixed(value, name, value.value, property);
      return true;
    })
    .readUrl(part.at('url'))
    .readTimeout(part.at('timeoutSeconds'), 1_000, 20_000);
  const headers = part.at('headers');
  for (const [name, header] of headers.at('properties').entries) {
    const value = [header.at('value'), header.at('default')].find(({ text }) => text !== '');
    if (value) tool.mark(header.at('type'), `headers.${name}`).readHeader(name, value);
    else header.refused('the model chooses no headers');
  }
  if (headers.at('properties').entries.length > 0) tool.mark(headers.at('type'), 'headers');
  finishTool(part, tool, agent);
}

function finishTool(part: Part, tool: ToolImport, agent: AgentImport): void {
  for (const entry of part.at('parameters').items) {
    tool.readFixed(entry.at('value'), entry.at('key').text, entry.at('value').value, entry);
  }
  for (const alias of part.at('variableExtractionPlan.aliases').items) {
    const [key, value] = [alias.at('key'), alias.at('value')];
    const [, path = ''] = /^\{\{\s*([\w.$[\]-]+)\s*\}\}$/.exec(value.text) ?? [];
    tool.readResult([key, value], key.text, path);
  }
  const start = part
    .at('messages')
    .items.find(
      (message) => message.at('type').text === 'request-start' && message.at('content').text !== '',
    );
  if (start) {
    tool.mark(start.at('type'), 'say').readSay(start.at('content'));
    agent.apply(start, { blocking: onlyOff() });
  }
  tool.mark(part.at('type'), 'kind').mark(part.at('function.strict'), 'parameters').finish();
}

function readTransfers(part: Part, agent: AgentImport): void {
  const destinations = part.at('destinations').items;
  if (destinations.length === 0) {
    part.refused('a transfer needs a number that is in the file');
    return;
  }
  part.at('type').understood('actions');
  for (const destination of destinations) {
    const description = destination.at('description');
    const named = description.text === '' ? part.at('function.name') : description;
    const why = agent.actions.addTransfer(destination.at('number'), named);
    if (why !== undefined) destination.refused(why);
    else {
      agent.apply(destination, {
        type: settled('actions'),
        numberE164CheckEnabled: settled('actions: each number is checked'),
        'transferPlan.mode': only(
          'blind-transfer',
          'actions',
          'a transfer connects at once, without an announcement',
        ),
      });
    }
  }
}

const FIELD_TYPES = ['string', 'number', 'integer', 'boolean'];

function readAnalysis(agent: AgentImport): void {
  const plan = agent.source.at('analysisPlan.structuredDataPlan');
  if (plan.at('enabled').value === false) return;
  agent.apply(plan, {
    enabled: settled('analysis'),
    'schema.type': settled('analysis'),
    'schema.required': settled('analysis: a field that a call does not yield is null'),
  });
  for (const [name, field] of plan.at('schema.properties').entries) {
    const type = field.at('format').text === 'date' ? 'date' : field.at('type').text;
    if (![...FIELD_TYPES, 'date'].includes(type)) {
      field.refused('a field has one value: a text, a number, a date, or true or false');
      continue;
    }
    if (type === 'date') field.at('format').understood('analysis.fields');
    agent.analysis.addField(field, name, type);
  }
}

export const VAPI: Platform = {
  variables: {
    renamed: new Map([
      ['now', 'now'],
      ['time', 'now'],
      ['date', 'today'],
      ['customer.name', 'customer_name'],
    ]),
    time: /^"now"\s*\|\s*date\b/,
    foreign: /^(?:month|day|year|customer|call|transport|assistant|messages)$/,
  },
  defaults: {
    type: 'hybrid',
    greeting: '',
    'llmConfig.temperature': 0,
    'timeoutConfig.silenceTimeout': 30,
    ...maximumDuration(600),
  },
  findMismatch: (source) => {
    const isAssistant = ['model', 'voice', 'transcriber', 'firstMessage'].some((name) =>
      Object.hasOwn(source, name),
    );
    return isAssistant ? undefined : 'is no assistant as GET /assistant/{id} of Vapi answers it';
  },
  read: (agent) => {
    agent.apply(agent.source, RULES);
    readPrompt(agent);
    readGreeting(agent);
    readVoicemail(agent);
    readHooks(agent);
    readTools(agent);
    readAnalysis(agent);
  },
};
