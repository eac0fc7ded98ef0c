import type { DisconnectReason, Party } from '../calls/model/call-states';

/** Words with which the person cuts in, once, after a turn of the agent has lasted for some time. */
export interface Interruption {
  after_ms: number;
  say: string;
}

/** A turn of the person: exactly one of `say`, `silence`, `noise`, `dtmf` and `hang_up`. */
export interface PersonLine {
  /** A pattern of the agent's last turn. Left out: each fits. */
  on?: string;
  /** The number of times that the line is used. Default: 1. */
  times?: number;
  /** Default: 500. */
  after_ms?: number;
  say?: string;
  /** In seconds. */
  silence?: number;
  /** In seconds. */
  noise?: number;
  dtmf?: string;
  hang_up?: true;
  interrupts?: Interruption;
}

/** The person of the call: exactly one of `lines`, `voicemail` and `persona`. */
export interface Person {
  hello?: string;
  lines?: PersonLine[];
  /** The greeting of an answering machine, after which it beeps. */
  voicemail?: string;
  /** The instructions of a model that is the person. */
  persona?: string;
  model?: string;
  max_turns?: number;
  interrupts?: Interruption;
}

/** The passages that a search in the knowledge bases finds. */
export interface FoundPassages {
  on?: string;
  passages: string[];
}

export interface Situation {
  variables?: Record<string, string>;
  customer_name?: string;
  direction?: 'outbound' | 'inbound';
  call_type?: 'phonecall' | 'webcall';
  /** ISO 8601; the time stands still. */
  now?: string;
  model_ms?: number;
  knowledge?: 'real' | FoundPassages[];
}

/** The answer of a tool; exactly one of `answer`, `fail` and `never`. */
export interface ToolMock {
  name: string;
  /** A part of the arguments. */
  match?: Record<string, unknown>;
  times?: number;
  answer?: unknown;
  fail?: string;
  never?: true;
  after_ms?: number;
  twice?: true;
}

/** Exactly one of these. */
export interface Check {
  tool?: { name: string; arguments?: Record<string, unknown>; times?: number; before?: string };
  said?: string;
  never_said?: string;
  variable?: { name: string; equals?: string; matches?: string };
  outcome?: string[];
  ended?: { by?: Party; reason?: DisconnectReason };
  turns?: number;
  turn_gap_ms?: number;
  interrupted_ms?: number;
  opt_out?: boolean;
  cost?: { credits?: number; tokens?: number };
  judge?: string;
}

/** A rehearsal without its name. A member of a part that is left out has its default. */
export interface RehearsalDefinition {
  person: Person;
  situation: Situation;
  tools: ToolMock[];
  checks: Check[];
}
