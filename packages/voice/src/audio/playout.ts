import type { Clock } from '../clock';
import type { Ambience } from './ambience';
import { FRAME_MS } from './voice-activity';

/** The length of audio that is sent before it is played, at most. */
export const MAX_AHEAD_MS = 400;
const TICK_MS = FRAME_MS;
/** Background noise is sent hardly ahead, because an answer begins after it. */
const AMBIENCE_AHEAD_MS = 60;

/** The receiver of the audio. */
export interface PlayoutLine {
  /** @param playedAt when it will be played */
  frame(samples: Int16Array, playedAt: number): void;
  mark(name: string): void;
  clear(): void;
}

/** A stretch of audio whose progress is of interest, such as a sentence. */
interface Piece {
  id: string;
  frames: Int16Array[];
  sent: number;
  /** No more frames will be added. */
  complete: boolean;
  /** The time that was played before a pause. */
  playedMs: number;
  /** The time at which the first frame after that is played. */
  startsAt?: number;
  /** The time at which what was sent has been played. */
  until?: number;
}

function measurePlayed({ startsAt, playedMs, sent }: Piece, now: number): number {
  const since = startsAt === undefined ? 0 : Math.max(0, now - startsAt);
  return Math.min(playedMs + since, sent * FRAME_MS);
}

/**
 * Sends frames at the pace at which they are played, at most {@link MAX_AHEAD_MS} ahead, so that what was not sent can
 * still be taken back. It counts what was played by its own clock, and does not need the echoes of marks.
 */
export class Playout {
  private pieces: Piece[] = [];
  /** The time at which the last frame that was sent will have been played. */
  private playedUntil = 0;
  /** As {@link playedUntil}, without background noise. */
  private soundsUntil = 0;
  /** Frames that are no part of a piece, and are played while none has any. */
  private aside: Int16Array[] = [];
  private timer?: () => void;
  private notBefore = 0;
  private paused = false;
  private stopped = false;

  constructor(
    private readonly line: PlayoutLine,
    private readonly clock: Clock,
    private readonly listener: {
      /** The first frame of this piece was sent. */
      started(id: string): void;
      /** Everything of this piece was played. */
      played(id: string): void;
    },
    private readonly ambience?: { of: Ambience; frameLength: number },
  ) {}

  /** Begins the background noise, if there is one. */
  start(): void {
    this.pump();
  }

  /** Sends nothing any more. */
  stop(): void {
    this.stopped = true;
    this.timer?.();
  }

  /** Adds frames to a piece, which begins when the pieces before it have been played. */
  add(id: string, frames: Int16Array[]): void {
    this.getPiece(id).frames.push(...frames);
    this.pump();
  }

  /** Nothing more will be added to the piece. */
  complete(id: string): void {
    this.getPiece(id).complete = true;
    this.pump();
  }

  /** The time until which something is heard, beside the background noise. */
  get heardUntil(): number {
    return this.soundsUntil;
  }

  /** Plays frames between those of the pieces, which go on after them, and also in a pause. */
  interject(frames: Int16Array[]): void {
    this.aside.push(...frames);
    this.pump();
  }

  /** No frame that was not sent yet is sent before this time. */
  holdUntil(time: number): void {
    this.notBefore = time;
  }

  /** Takes back what was not played. It continues from there after {@link resume}. */
  pause(): void {
    const now = this.clock.now();
    const began = this.pieces.some(({ sent }) => sent > 0) || this.soundsUntil > now;
    for (const piece of this.pieces) {
      piece.sent = Math.floor(measurePlayed(piece, now) / FRAME_MS);
      piece.playedMs = piece.sent * FRAME_MS;
      piece.startsAt = undefined;
      piece.until = undefined;
    }
    if (began) this.line.clear();
    this.silence(now);
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    this.pump();
  }

  /** Forgets what was not played. @returns the milliseconds that were played of each piece that had begun or waited */
  clear(): { id: string; playedMs: number; totalMs: number }[] {
    const now = this.clock.now();
    const heard = this.pieces.map((piece) => ({
      id: piece.id,
      playedMs: measurePlayed(piece, now),
      totalMs: piece.frames.length * FRAME_MS,
    }));
    // In a pause, what was sent of the pieces was taken back.
    const isSent = this.soundsUntil > now || (this.pieces.length > 0 && !this.paused);
    if (isSent) this.line.clear();
    this.pieces = [];
    this.silence(now);
    this.paused = false;
    return heard;
  }

  private silence(now: number): void {
    this.aside = [];
    this.playedUntil = now;
    this.soundsUntil = Math.min(this.soundsUntil, now);
  }

  private getPiece(id: string): Piece {
    let piece = this.pieces.find((candidate) => candidate.id === id);
    if (!piece) this.pieces.push((piece = { id, frames: [], sent: 0, complete: false, playedMs: 0 }));
    return piece;
  }

  private pump(): void {
    this.timer?.();
    this.timer = undefined;
    if (this.stopped) return;
    const now = this.clock.now();
    this.playedUntil = Math.max(this.playedUntil, now);
    if (this.sendAside(now) && !this.paused) this.sendPieces(now);
    this.sendAmbience(now);
    if (!this.paused) this.finish(now);
    const isWaiting = this.aside.length > 0 || (this.pieces.length > 0 && !this.paused);
    if (this.ambience || isWaiting) {
      this.timer = this.clock.after(TICK_MS, () => this.pump());
    }
  }

  /** @returns whether all of it was sent */
  private sendAside(now: number): boolean {
    while (this.aside.length > 0 && this.playedUntil - now < MAX_AHEAD_MS)
      this.send(this.aside.shift() as Int16Array);
    return this.aside.length === 0;
  }

  private send(frame: Int16Array): void {
    this.line.frame(this.ambience?.of.behind(frame) ?? frame, this.playedUntil);
    this.playedUntil += FRAME_MS;
    this.soundsUntil = this.playedUntil;
  }

  private sendPieces(now: number): void {
    for (const piece of this.pieces) {
      while (
        piece.sent < piece.frames.length &&
        this.playedUntil - now < MAX_AHEAD_MS &&
        now >= this.notBefore
      ) {
        // It goes on after a gap, because its audio was late.
        if (piece.until !== undefined && this.playedUntil > piece.until) {
          piece.playedMs = piece.sent * FRAME_MS;
          piece.startsAt = this.playedUntil;
        }
        if (piece.startsAt === undefined) {
          piece.startsAt = this.playedUntil;
          if (piece.sent === 0) this.listener.started(piece.id);
        }
        this.send(piece.frames[piece.sent] as Int16Array);
        piece.sent++;
        piece.until = this.playedUntil;
        if (piece.complete && piece.sent === piece.frames.length) this.line.mark(piece.id);
      }
      if (!piece.complete || piece.sent < piece.frames.length) break;
    }
  }

  private sendAmbience(now: number): void {
    if (!this.ambience) return;
    const { of, frameLength } = this.ambience;
    for (; this.playedUntil - now < AMBIENCE_AHEAD_MS; this.playedUntil += FRAME_MS) {
      this.line.frame(of.next(frameLength), this.playedUntil);
    }
  }

  private finish(now: number): void {
    for (;;) {
      const piece = this.pieces[0];
      if (!piece?.complete || piece.sent < piece.frames.length) return;
      const end = (piece.startsAt ?? now) + piece.frames.length * FRAME_MS - piece.playedMs;
      if (end > now) return;
      this.pieces.shift();
      this.listener.played(piece.id);
    }
  }
}
