import type { Plan } from '../agent/plan';
import type { Brain } from '../brain/brain';
import type { ChatContext, ChatModel } from '../brain/chat-completions';
import type { Clock } from '../clock';
import type { Conversation } from '../conversation/conversation';
import type { Report } from '../conversation/contract';
import type { HeardAgent } from './heard-agent';

/** The call of a rehearsal, as its person has it. */
export interface PersonCall {
  readonly conversation: Pick<Conversation, 'awaits' | 'messages' | 'read'>;
  /** Whether the conversation has ended. */
  readonly isOver: boolean;
  /** Milliseconds that only grow. */
  readonly now: number;
  /** Lets this time pass, until the conversation has ended. @param until ends it earlier */
  pass(ms: number, until?: () => boolean): Promise<void>;
  /** Makes words ready to be said. @returns the time that they take, in milliseconds */
  prepare(words: string): Promise<number>;
  /** Says words, and resolves when they are said. */
  says(words: string): Promise<void>;
  /** Makes a sound without words. */
  noise(ms: number): Promise<void>;
  /** The tone of an answering machine. */
  beep(): Promise<void>;
  press(key: string): void;
  hangUp(): void;
}

/** The call of a rehearsal that is played here. */
export interface PlayedCall extends PersonCall {
  readonly conversation: Conversation;
  /** Resolves when the tools that are at work have ended, after the end of the conversation. */
  settle(): Promise<void>;
}

export interface StageParts {
  plan: Plan;
  brain: Brain;
  report: Report;
  /** Gets what the person hears. */
  heard: HeardAgent;
}

/** The place of a rehearsal: its time, and the call between the agent and the person. */
export interface Stage {
  readonly clock: Clock;
  /** Whether time stands still while a model is asked. */
  readonly isVirtual: boolean;
  /** Holds the time while something takes real time. @returns a function that lets it pass again */
  hold(): () => void;
  /** @param model undefined: the scripted assistant answers @param modelMs the virtual time that an answer takes */
  createBrain(model: ChatModel | undefined, context: ChatContext, modelMs: number): Brain;
  /** @throws Error if there can be no call */
  open(parts: StageParts): Promise<PlayedCall>;
  /** The rehearsal is over. */
  close(): Promise<void>;
}
