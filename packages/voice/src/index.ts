export type { Plan, Warning } from './agent/plan';
export { resolveAgent } from './agent/resolve-agent';
export { BrowserDoor } from './doors/browser/browser-door';
export {
  type CarrierName,
  type Models,
  readModels,
  readSettings,
  type Settings,
  SettingsError,
} from './runtime/settings';
export { VoiceMetrics } from './runtime/voice-metrics';
export { VoiceProcess } from './runtime/voice-process';
export { voiceHandler, type VoiceRuntimeParts } from './runtime/voice-runtime';
export type { Recognizer, Synthesizer } from './speech/speech';
export { LocalSpeech } from './speech/local/local-speech';
export type { Carrier, OutgoingCall } from './doors/carrier';
export { ParleyLine, type ParleyLineOptions } from './doors/line/parley-line';
export type { CalleeEvent, Script } from './doors/line/callee';
export { type StartedLine, startLine } from './doors/line/start-line';
export { TwilioDoor, type TwilioSettings } from './doors/twilio/twilio-door';
