import type { SectionDefinition } from '../../../ui/schema-form/sections';
import { texts } from '../../../texts';

const titles = texts.agent.sections;

/** The sections of the form and what is in them; see `toSections`. */
export const SECTIONS: SectionDefinition[] = [
  {
    id: 'says',
    title: titles.says,
    fields: ['name', 'type', 'status', 'fillerWords', 'greeting', 'prompt', 'dynamic_variables', 'actions'],
  },
  { id: 'knowledge', title: titles.knowledge, fields: ['knowledgeBases'] },
  { id: 'voice', title: titles.voice, fields: ['voiceConfig.*', 'backChannelConfig'] },
  {
    id: 'languages',
    title: titles.languages,
    fields: ['multiLingual', 'primaryLanguage', 'secondaryLanguages', 'localisedPrompt'],
  },
  { id: 'models', title: titles.models, fields: ['llmConfig', 'aiModel'] },
  { id: 'speech', title: titles.speech, fields: ['sttConfig.*', 'customVocabulary'] },
  {
    id: 'calls',
    title: titles.calls,
    fields: ['timezone', 'callConfig', 'timeoutConfig', 'voicemailConfig'],
  },
  {
    id: 'presentation',
    title: titles.presentation,
    fields: [
      ...['category', 'industry', 'templateCategory', 'popularity', 'image', 'description'],
      ...['features', 'recommendedActions'],
    ],
  },
  { id: 'deployment', title: titles.deployment, fields: ['deployment.*'] },
];

/** The fields that are shown above the form, because it cannot change them. */
export const SHOWN_ELSEWHERE = ['workspaceId', 'stats'];
