const NAMES = new Map([
  ['asterisk', 'Asterisk'],
  ['cartesia', 'Cartesia'],
  ['deepgram', 'Deepgram'],
  ['elevenlabs', 'ElevenLabs'],
  ['openai', 'OpenAI'],
  ['openai-realtime', 'OpenAI Realtime'],
  ['playht', 'PlayHT'],
  ['telnyx', 'Telnyx'],
  ['twilio', 'Twilio'],
]);

/** The name of a provider as it writes itself, or as the agent or the runtime names it. */
export const providerName = (provider: string): string => NAMES.get(provider) ?? provider;
