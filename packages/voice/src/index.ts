export type { Plan, Warning } from './agent/plan';
export { resolveAgent } from './agent/resolve-agent';
export { BrowserDoor } from './doors/browser/browser-door';
export { readSettings, type Settings, SettingsError } from './runtime/settings';
export { voiceHandler, type VoiceRuntimeParts } from './runtime/voice-runtime';
export type { Recognizer, Synthesizer } from './speech/speech';
export { LocalSpeech } from './speech/local/local-speech';
