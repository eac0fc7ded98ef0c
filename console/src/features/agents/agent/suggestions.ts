import type { Choice } from '../../../ui/fields';
import { texts } from '../../../texts';
import { providerName } from '../../../texts/providers';

const REALTIME = 'openai-realtime';

/** The values for which the server or its voice runtime has a rule, by the path of the field. */
const KNOWN: Record<string, string[]> = {
  'voiceConfig.provider': ['elevenlabs', 'cartesia', 'deepgram', 'openai', 'playht', 'local'],
  'sttConfig.provider': ['deepgram', REALTIME, 'local'],
  'llmConfig.provider': ['openai', REALTIME, 'local'],
  'aiModel.provider': ['openai'],
  'callConfig.backGroundNoiseEnv': ['office', 'cafe', 'street', 'call-center'],
  'callConfig.backGroundNoiseLevel': ['low', 'medium', 'high'],
};

const OPENAI_VOICES = [
  'alloy',
  'ash',
  'ballad',
  'coral',
  'echo',
  'sage',
  'shimmer',
  'verse',
  'marin',
  'cedar',
];

/** The same for fields whose valid values depend on the provider, by provider. */
const KNOWN_BY_PROVIDER: Record<string, Record<string, string[]>> = {
  'voiceConfig.voiceId': {
    elevenlabs: ['EXAVITQu4vr4xnSDxMaL', '21m00Tcm4TlvDq8ikWAM'],
    openai: OPENAI_VOICES,
    local: ['slt', 'rms', 'awb', 'kal'],
  },
  'sttConfig.model': { deepgram: ['nova-3'], [REALTIME]: ['gpt-4o-mini-transcribe'] },
  'llmConfig.model': { openai: ['gpt-4o-mini'], [REALTIME]: ['gpt-realtime'] },
  'aiModel.model': { openai: ['gpt-4o-mini'] },
};

const toChoices = (values: string[]): Choice[] =>
  values.map((value) => ({ value, label: texts.agentForm.suggestions[value] ?? providerName(value) }));

/**
 * The values that the form offers for a field, in which others can be entered, too.
 * @param getText finds the text of another field
 */
export function suggest(path: string, getText: (path: string) => string): Choice[] | undefined {
  const byProvider = KNOWN_BY_PROVIDER[path];
  const values = byProvider ? byProvider[getText(path.replace(/[^.]+$/, 'provider'))] : KNOWN[path];
  return values && toChoices(values);
}
