/** A message of a carrier's media stream, in whichever format. */
export type StreamFrame =
  | { event: 'connected' }
  | { event: 'start'; streamId: string; parameters: Record<string, unknown> }
  /** `chunk`: its place in the order, where frames may come out of it. */
  | { event: 'media'; payload: Uint8Array; chunk?: number }
  | { event: 'mark'; name: string }
  | { event: 'dtmf'; digit: string }
  | { event: 'stop' };

/** The format of a carrier's media stream. Audio is μ-law at 8,000 Hz, 20 ms a frame. */
export interface StreamProtocol {
  /** @returns undefined if it makes no sense */
  read(data: Buffer, isBinary: boolean): StreamFrame | undefined;
  media(audio: Uint8Array, streamId: string): string | Uint8Array;
  mark(name: string, streamId: string): string;
  clear(streamId: string): string;
}
