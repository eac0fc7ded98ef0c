import type * as wire from './wire';

export { DISCONNECT_REASONS, MESSAGE_TYPES as TYPES, PARTIES, SPEAKERS } from './wire';
export type {
  Agent,
  AnalysisOfCall,
  ApiOfCall,
  DisconnectReason,
  Judgement,
  LanguageModel,
  MockedTool,
  Party,
  ProviderOfWorker,
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
  TranscriptTurn,
} from './wire';

/** A call to place, or one that has reached the worker. A later server may add fields. */
export interface CallStart extends Omit<wire.CallStart, 'tools' | 'analysis'> {
  /** The things that the agent may do; see `call.tool`. A server before 1.3 sends none. */
  tools?: wire.ToolOfCall[];
  /** The values and answers to find out about the call; see `call.analyzed`. A server before 1.3 sends none. */
  analysis?: wire.AnalysisOfCall;
}

/** The answer to a claim that was granted, or to an incoming call that was accepted. */
export interface Claimed extends Omit<wire.Claimed, 'api'> {
  /** Missing: the server is of an earlier release. */
  api?: wire.ApiOfCall;
}

export interface IncomingAccepted extends Claimed {
  call: CallStart;
  /** The worker whose request made the call. A server of an earlier release does not name it. */
  worker_id?: string;
}

/** A call that has reached the worker. */
export interface IncomingCall extends Omit<wire.Incoming, 'claim_id' | 'worker_id'> {
  /**
   * A UUID, by default a new one. Workers that may get the same call derive it from the carrier's id of the call: the
   * first one has the call, and the others get the refusal `taken`.
   */
  claim_id?: string;
}
