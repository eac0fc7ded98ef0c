import { client } from '../../api/client';
import { Loudspeaker } from './loudspeaker';
import { decodePcm } from './pcm';

/** Why nothing is heard any more. */
export type ListeningEnd = 'ended' | 'full' | 'unreachable' | 'insecure';

interface Listener {
  /** The first audio is there. */
  heard(): void;
  over(end: ListeningEnd): void;
  failed(error: Error): void;
}

const FULL = 4409;
const REGULAR = 1000;

/** One user who hears a call. */
export class Listening {
  private loudspeaker?: Loudspeaker;
  private socket?: WebSocket;
  private isOver = false;

  constructor(
    private readonly callId: string,
    private readonly listener: Listener,
  ) {}

  /** Begins in a click. Each beginning is in the audit. */
  async run(): Promise<void> {
    try {
      this.loudspeaker = await Loudspeaker.open();
      if (!this.loudspeaker) return this.finish('insecure');
      const path = { call_id: this.callId };
      const { data } = await client.POST('/api/calls/{call_id}/listen', { params: { path } });
      if (this.isOver) return void this.loudspeaker.close();
      if (data) this.connect(data.data.url);
    } catch (error) {
      if (this.isOver) return;
      this.stop();
      this.listener.failed(error as Error);
    }
  }

  /** Hears nothing any more, and reports nothing. */
  stop(): void {
    this.isOver = true;
    if (this.socket) this.socket.onmessage = this.socket.onclose = null;
    this.socket?.close();
    void this.loudspeaker?.close();
  }

  private connect(url: string): void {
    try {
      this.socket = new WebSocket(url);
    } catch {
      // Such as ws: on a page over https.
      return this.finish('unreachable');
    }
    let isHeard = false;
    this.socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      const samples = readAudio(data);
      if (!samples) return;
      if (!isHeard) this.listener.heard();
      isHeard = true;
      this.loudspeaker?.play(samples);
    };
    this.socket.onclose = ({ code }) =>
      this.finish(code === REGULAR ? 'ended' : code === FULL ? 'full' : 'unreachable');
  }

  private finish(end: ListeningEnd): void {
    if (this.isOver) return;
    this.stop();
    this.listener.over(end);
  }
}

/** @returns undefined if the frame has no audio */
function readAudio(data: unknown): Int16Array<ArrayBuffer> | undefined {
  if (typeof data !== 'string') return undefined;
  try {
    const frame = JSON.parse(data) as { event?: unknown; media?: { payload?: unknown } } | null;
    const payload = frame?.event === 'media' ? frame.media?.payload : undefined;
    return typeof payload === 'string' ? decodePcm(payload) : undefined;
  } catch {
    // A runtime may send what this page does not know.
    return undefined;
  }
}
