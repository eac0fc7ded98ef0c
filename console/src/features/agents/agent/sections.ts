import type { SectionDefinition } from '../../../ui/schema-form/sections';
import { texts } from '../../../texts';

const { sections: words } = texts.agentForm;

/** The sections of the form and what is in them; see `toSections`. The first ones have what a new agent needs. */
export const SECTIONS: SectionDefinition[] = [
  { id: 'basics', ...words.basics, fields: ['name', 'type', 'primaryLanguage', 'status'] },
  { id: 'prompt', ...words.prompt, fields: ['greeting', 'prompt', 'dynamic_variables'] },
  {
    id: 'voice',
    ...words.voice,
    fields: [
      ...['voiceConfig.provider', 'voiceConfig.voiceId', 'voiceConfig.language'],
      ...['llmConfig.provider', 'llmConfig.model'],
    ],
  },
  { id: 'knowledge', ...words.knowledge, fields: ['knowledgeBases'] },
  ...[
    {
      id: 'conversation',
      ...words.conversation,
      fields: [
        ...['fillerWords', 'voiceConfig.patienceLevel', 'voiceConfig.numberOfWords'],
        ...['voiceConfig.voiceSeconds', 'voiceConfig.backOfSeconds'],
        ...['callConfig.idleReminders', 'backChannelConfig'],
      ],
    },
    { id: 'voice-details', ...words.voiceDetails, fields: ['voiceConfig.*', 'callConfig.speakerBoost'] },
    {
      id: 'languages',
      ...words.languages,
      fields: ['multiLingual', 'secondaryLanguages', 'localisedPrompt'],
    },
    { id: 'recognition', ...words.recognition, fields: ['sttConfig.*', 'customVocabulary'] },
    { id: 'model', ...words.model, fields: ['llmConfig.*', 'aiModel'] },
    {
      id: 'voicemail',
      ...words.voicemail,
      fields: ['callConfig.voicemailDetection.*', 'voicemailConfig.*'],
    },
    {
      id: 'limits',
      ...words.limits,
      fields: ['timeoutConfig.*', 'callConfig.maxDuration', 'callConfig.limitCallDuration'],
    },
    {
      id: 'recording',
      ...words.recording,
      fields: ['callConfig.recordingEnabled', 'callConfig.transcriptionEnabled'],
    },
    {
      id: 'sound',
      ...words.sound,
      fields: [
        ...['callConfig.backGroundNoiseEnv', 'callConfig.backGroundNoiseLevel'],
        ...['callConfig.backGroundNoiseThreshold', 'callConfig.backGroundNoiseTimeout'],
        ...['callConfig.backGroundNoiseTimeoutThreshold', 'callConfig.backGroundNoiseTimeoutInterval'],
      ],
    },
    { id: 'actions', ...words.actions, fields: ['actions', 'recommendedActions'] },
    { id: 'time', ...words.time, fields: ['timezone', 'callConfig.timeZone'] },
    {
      id: 'listing',
      ...words.listing,
      fields: [
        ...['category', 'industry', 'templateCategory', 'popularity', 'image', 'description', 'features'],
      ],
    },
    { id: 'deployment', ...words.deployment, fields: ['deployment.*'] },
  ].map((section) => ({ ...section, isAdvanced: true })),
];

/** The fields that are shown above the form, because it cannot change them. */
export const SHOWN_ELSEWHERE = ['workspaceId', 'stats'];

/** The objects that the API would accept, but whose values come from the server. */
export const SHOWN_ONLY = ['deployment'];
