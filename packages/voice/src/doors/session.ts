import type { Line } from '../conversation/conversation';

/** The person of one call, at whichever door. */
export interface Session extends Line {
  listen(listener: SessionListener): void;
  /** Ends the call, and tells the other side why, if it can. Calling it again does nothing. */
  end(reason: string): void;
  /** Connects the person with another number, and leaves the call. undefined: impossible at this door. */
  transfer?(to: string): Promise<void>;
}

export interface SessionListener {
  media(samples: Int16Array): void;
  text(text: string): void;
  dtmf(digit: string): void;
  /** The person hangs up. */
  stop(): void;
  /** The connection was cut, and may come back. */
  lost(): void;
  returned(): void;
  /** The connection did not come back. */
  gone(): void;
  /** The carrier found that a machine has answered; `greetingIsOver`: it records now. */
  machine(greetingIsOver: boolean): void;
}

/** The time within which a connection that was cut may come back. */
export const RETURN_MS = 10_000;
