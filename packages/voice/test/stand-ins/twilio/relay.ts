import { WebSocket } from 'ws';
import { SILENCE } from '../phone/handset';
import type { StreamOptions } from './stream';

/** The sentences of the person at a relayed call. */
export interface RelayScript {
  /** Said one after the other, each when the agent has been silent for a moment. */
  says: string[];
  /** Says the next sentence after so many words of the agent. */
  interruptsAfterWords?: number;
}

const WORD_MS = 40;
const PAUSE_MS = 250;

/** Twilio's side of ConversationRelay: it speaks texts word by word, and writes what the person says. */
export class TwilioRelay {
  readonly spoken: string[] = [];
  language = '';
  private readonly socket: WebSocket;
  private readonly words: string[] = [];
  private readonly timer: NodeJS.Timeout;
  private utterance: string[] = [];
  private silentMs = 0;
  private isClosed = false;

  constructor(
    private readonly options: StreamOptions,
    private readonly script: RelayScript,
    private readonly pressed: (digits: string) => void,
  ) {
    this.socket = new WebSocket(options.url, { headers: options.headers, handshakeTimeout: 5_000 });
    this.socket.on('open', () => this.begin());
    this.socket.on('message', (data: Buffer) => this.receive(data));
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => this.closed());
    this.timer = setInterval(() => this.speak(), WORD_MS);
  }

  /** The person presses keys and hangs up as in any call. */
  tick(): void {
    if (this.socket.readyState === WebSocket.OPEN) this.options.handset.tick(SILENCE);
  }

  press(digit: string): void {
    this.send({ type: 'dtmf', digit });
  }

  stop(): void {
    this.isClosed = true;
    clearInterval(this.timer);
    this.socket.close(1000);
  }

  lose(): void {
    this.socket.terminate();
  }

  private begin(): void {
    const { callSid, accountSid, parameters, streamSid, opened } = this.options;
    this.send({
      ...{ type: 'setup', sessionId: streamSid.replace('MZ', 'VX'), accountSid, callSid, callType: 'PSTN' },
      ...{
        from: '',
        to: '',
        direction: 'outbound-api',
        callStatus: 'IN-PROGRESS',
        customParameters: parameters,
      },
    });
    opened();
  }

  private receive(data: Buffer): void {
    const frame = JSON.parse(data.toString()) as Record<string, unknown>;
    if (frame.type === 'text' && typeof frame.token === 'string' && typeof frame.last === 'boolean')
      this.words.push(...frame.token.split(/(?<=\s)/));
    else if (frame.type === 'sendDigits' && /^[0-9#*w]+$/.test(String(frame.digits)))
      this.pressed(String(frame.digits));
    else if (frame.type === 'end') {
      clearInterval(this.timer);
      this.socket.close(1000);
    } else {
      this.options.complain('64107 ConversationRelay: a message that is not valid');
      this.send({ type: 'error', description: 'Invalid message received' });
    }
  }

  /** One word, or a part of a pause. */
  private speak(): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    const word = this.words.shift();
    if (word === undefined) {
      this.silentMs += WORD_MS;
      if (this.silentMs >= PAUSE_MS) this.say();
      return;
    }
    this.silentMs = 0;
    this.spoken.push(word.trim());
    this.utterance.push(word);
    this.send({ type: 'info', name: 'tokensPlayed', value: word });
    const { interruptsAfterWords: after } = this.script;
    if (after === undefined || this.utterance.length < after) return;
    this.script.interruptsAfterWords = undefined;
    this.words.length = 0;
    const heard = this.utterance.join('').trim();
    this.send({
      type: 'interrupt',
      utteranceUntilInterrupt: heard,
      durationUntilInterruptMs: after * WORD_MS,
    });
    this.say();
  }

  private say(): void {
    const words = this.script.says.shift();
    this.silentMs = 0;
    this.utterance = [];
    if (words === undefined) return;
    this.send({ type: 'prompt', voicePrompt: words, lang: 'en-US', last: true });
  }

  private closed(): void {
    clearInterval(this.timer);
    if (this.isClosed) return;
    this.isClosed = true;
    this.options.closed();
  }

  private send(frame: object): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }
}
