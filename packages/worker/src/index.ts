export type { AnalysisOptions, AnalysisValues } from './analysis';
export type { Call, Recording, Turn } from './call';
export type { CallEnd, CallResult } from './ending';
export { CallFailed, CallInterrupted, IncomingRefused, type RefusalReason } from './errors';
export type { Handler } from './handlers';
export { jsonSize, type JsonSize } from './json-size';
export { shorten } from './limits';
export type { Logger } from './logger';
export type {
  Agent,
  AnalysisOfCall,
  CallStart,
  ProviderOfWorker,
  DisconnectReason,
  IncomingCall,
  Judgement,
  LanguageModel,
  MockedTool,
  Party,
  RehearsalFacts,
  RehearsalOfCall,
  RehearsedInterruption,
  RehearsedLine,
  RehearsedPerson,
  RehearsedTurn,
  ReportedCriterion,
  Speaker,
  ToolOfCall,
  ToolUse,
} from './messages';
export type { WorkerOptions } from './options';
export type { RecordingSource, RecordOptions } from './recording-upload';
export type { Passage, SearchOptions } from './search';
export type { ToolInvocation, ToolOptions, ToolState, WaitOptions } from './tools';
export type { AllowedTransfer } from './transfers';
export {
  type Consumer,
  type ConsumerListener,
  type Delivery,
  type IncomingMessage,
  type OutgoingMessage,
  type Transport,
  TransportError,
  type TransportFailure,
  type TransportListener,
} from './transport';
export { fillVariables, listPlaceholders, listVariables, MAX_FILLED_LENGTH } from './variables';
export {
  createWorker,
  type IncomingOptions,
  type StopReport,
  type Worker,
  type WorkerEvents,
  type WorkerState,
  type WorkerStats,
} from './worker';
