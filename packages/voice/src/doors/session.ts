import type { Conversation } from '../conversation/conversation';
import type { Answerer, Line } from '../conversation/contract';
import type { TypingRefusal } from '../conversation/typed-turns';
import type { HandedOverCall } from './phone/handed-over';

/** The person of one call, at whichever door. */
export interface Session extends Line {
  listen(listener: SessionListener): void;
  /** Ends the call, and tells the other side why, if it can. Calling it again does nothing. */
  end(reason: string): void;
  /**
   * Connects the person with another number, and leaves the call. undefined: impossible at this door.
   * @param maximumSeconds the time after which the carrier ends the call
   * @returns whether the person was still there when the other number answered @throws if it did not answer
   */
  transfer?(to: string, maximumSeconds: number): Promise<boolean>;
  /** The call, after the person was connected with another number. */
  readonly handedOver?: HandedOverCall;
}

/** The end of a call that the agent did not end. */
export interface SessionEnd {
  reason: 'user_hangup' | 'max_duration_reached' | 'error';
  /** The carrier's own words and codes, for an end that is no hang-up, or is taken for one. */
  detail?: string;
}

export interface SessionListener {
  media(samples: Int16Array): void;
  /** @returns why it is not taken, or undefined */
  text(text: string): TypingRefusal | undefined;
  dtmf(digit: string): TypingRefusal | undefined;
  /** The call is over. */
  stop(end: SessionEnd): void;
  /** The connection was cut, and may come back. */
  lost(): void;
  returned(): void;
  /** A carrier that speaks has stopped, because it heard the person. The words of the person may follow. */
  interrupted(): void;
  /** The carrier found who has answered. @param detail the carrier's own word for it */
  answeredBy(answerer: Answerer, detail?: string): void;
}

export const HUNG_UP: SessionEnd = { reason: 'user_hangup' };

/** The time within which a connection that was cut may come back. */
export const RETURN_MS = 10_000;

/** Tells a conversation what comes from the person. */
export const toListener = (conversation: Conversation): SessionListener => ({
  media: (samples) => conversation.hear(samples),
  text: (text) => conversation.read(text),
  dtmf: (digit) => conversation.dtmf(digit),
  stop: ({ reason }) => conversation.close({ reason, by: reason === 'user_hangup' ? 'user' : 'system' }),
  lost: () => conversation.lost(),
  returned: () => conversation.returned(),
  interrupted: () => conversation.interrupted(),
  answeredBy: (answerer) => conversation.answeredBy(answerer),
});
