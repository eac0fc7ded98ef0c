export { TIME_VARIABLES } from './agent/fill-texts';
export type { Plan, Warning } from './agent/plan';
export { resolveAgent } from './agent/resolve-agent';
export { ChatCompletionsBrain } from './brain/chat-completions';
export { BrowserDoor } from './doors/browser/browser-door';
export {
  type Models,
  readModels,
  readRuntime,
  readSettings,
  type RuntimeSettings,
  type Settings,
  VOICE_SETTINGS,
} from './runtime/settings';
export { address, integer, oneOf, readEnvironment, SettingsError } from './runtime/environment';
export { type CarrierSettings, readCarrier } from './runtime/carrier-settings';
export { createCarrier } from './runtime/create-carrier';
export { VoiceMetrics } from './runtime/voice-metrics';
export { VoiceProcess } from './runtime/voice-process';
export { joinedHandler, voiceHandler, type VoiceRuntimeParts } from './runtime/voice-runtime';
export { WebPlaces } from './runtime/web-places';
export { isPart } from './rehearsal/mocked-tools';
export { CollectedFacts } from './rehearsal/rehearsal-facts';
export { type ProviderReport, ProviderHealth } from './providers/provider-health';
export { type Fallbacks, NO_FALLBACKS } from './providers/fallbacks';
export { RehearsalPlayer } from './rehearsal/rehearsal-player';
export { createRehearsalWorker } from './rehearsal/rehearsal-worker';
export { RehearsedPerson } from './rehearsal/rehearsed-person';
export type { PersonCall } from './rehearsal/stage';
export { type ArgumentRules, findArgumentProblems } from './rehearsal/tool-arguments';
export { fillPath, findDottedSegments, parametersInPath, toText } from './rehearsal/tool-path';
export { REALTIME, type Recognizer, type Synthesizer } from './speech/speech';
export { LocalSpeech } from './speech/local/local-speech';
export type { CallSpeech } from './speech/carrier-speech';
export type { AcceptedCall, Carrier, OutgoingCall, SignatureListener } from './doors/carrier';
export { ParleyLine, type ParleyLineOptions } from './doors/line/parley-line';
export type { CalleeEvent, Script } from './doors/line/callee';
export { type StartedLine, startLine } from './doors/line/start-line';
export { TwilioDoor, type TwilioSettings } from './doors/twilio/twilio-door';
export { AsteriskDoor, type AsteriskSettings } from './doors/asterisk/asterisk-door';
export { TelnyxDoor, type TelnyxSettings } from './doors/telnyx/telnyx-door';
export { type AnswerAgain, PeerOffers, type TakeOffer } from './net/peer-offers';
export { Peers, type PeersOptions } from './net/peers';
export type { Speech, SpeechAccounts } from './speech/services';
export type { Offer, OfferAnswer } from './net/offers';
export type { OtherRuntimes, TakeIncoming } from './doors/phone/waiting-calls';
