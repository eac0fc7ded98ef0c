import { WebSocket } from 'ws';
import { FRAME_BYTES, FRAME_MS, type Handset } from '../phone/handset';
import { Playback } from '../phone/playback';

export interface StreamOptions {
  url: string;
  headers: Record<string, string>;
  accountSid: string;
  callSid: string;
  streamSid: string;
  parameters: Record<string, string>;
  handset: Handset;
  complain: (sentence: string) => void;
  opened: () => void;
  /** The runtime closed the stream or did not take it, or the connection was lost. */
  closed: () => void;
}

/** Twilio drops audio if ten minutes of it wait (warning 31931). */
const MAX_FRAMES = 600_000 / FRAME_MS;

/** Twilio's side of a media stream. Messages that are not documented end it. */
export class TwilioStream {
  private readonly socket: WebSocket;
  private readonly playback = new Playback((name) => this.echo(name));
  private sequence = 1;
  private chunk = 0;
  private isClosed = false;

  constructor(private readonly options: StreamOptions) {
    this.socket = new WebSocket(options.url, { headers: options.headers, handshakeTimeout: 30_000 });
    this.socket.on('open', () => this.begin());
    this.socket.on('message', (data: Buffer, isBinary) => this.receive(data, isBinary));
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      if (this.isClosed) return;
      this.isClosed = true;
      options.closed();
    });
  }

  tick(): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    const sound = this.options.handset.tick(this.playback.next());
    this.chunk++;
    this.send('media', {
      media: {
        track: 'inbound',
        chunk: String(this.chunk),
        timestamp: String(this.chunk * FRAME_MS),
        payload: sound.toString('base64'),
      },
    });
  }

  press(digit: string): void {
    this.send('dtmf', { dtmf: { track: 'inbound_track', digit } });
  }

  /** The call goes on without the stream, or ends. */
  stop(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    const { accountSid, callSid } = this.options;
    this.send('stop', { stop: { accountSid, callSid } });
    if (this.socket.readyState === WebSocket.OPEN) this.socket.close(1000);
    else this.socket.terminate();
  }

  /** The connection is lost. */
  lose(): void {
    this.socket.terminate();
  }

  private begin(): void {
    const { accountSid, callSid, streamSid, parameters, opened } = this.options;
    this.socket.send(JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }));
    this.send('start', {
      start: {
        ...{ accountSid, streamSid, callSid, tracks: ['inbound'], customParameters: parameters },
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
      },
    });
    opened();
  }

  private receive(data: Buffer, isBinary: boolean): void {
    const { streamSid, handset } = this.options;
    if (isBinary) return this.refuse('a binary message');
    let frame: Record<string, unknown>;
    try {
      frame = JSON.parse(data.toString()) as typeof frame;
    } catch {
      return this.refuse('a message that is no JSON');
    }
    if (frame.streamSid !== streamSid) return this.refuse('a message without the streamSid');
    const { payload } = (frame.media ?? {}) as { payload?: string };
    const { name } = (frame.mark ?? {}) as { name?: string };
    if (frame.event === 'media' && typeof payload === 'string' && isBase64(payload)) {
      const audio = Buffer.from(payload, 'base64');
      // Frames of another length are silent.
      if (audio.length !== FRAME_BYTES) return this.refuse(`a frame of ${audio.length} bytes`);
      if (this.playback.frames < MAX_FRAMES) this.playback.add(audio);
      else this.options.complain('31931 Stream: media discarded');
    } else if (frame.event === 'mark' && typeof name === 'string' && name !== '') this.playback.mark(name);
    else if (frame.event === 'clear') {
      handset.clears.push(performance.now());
      // Marks of audio that is taken back are echoed at once.
      this.playback.clear().forEach((mark) => this.echo(mark));
    } else this.refuse(`a message ${String(frame.event)}`);
  }

  private echo(name: string): void {
    this.send('mark', { mark: { name } });
  }

  private refuse(what: string): void {
    this.options.complain(`31924 Stream: protocol error: ${what}`);
    this.socket.close(1002);
  }

  private send(event: string, fields: object): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    const { streamSid } = this.options;
    this.socket.send(
      JSON.stringify({ event, sequenceNumber: String(this.sequence++), streamSid, ...fields }),
    );
  }
}

const isBase64 = (text: string) => text.length > 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
