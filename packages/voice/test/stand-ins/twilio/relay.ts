import { WebSocket } from 'ws';
import { SILENCE, SOUND } from '../phone/handset';
import type { StreamOptions } from './stream';

/** The things that a person can do while the agent speaks. */
type Input = 'speech' | 'dtmf';
/** Whether an attribute names an input. `true` and `false` are its older values. */
const names = (value: string, input: Input) => ['any', 'true', input].includes(value);

/** The provider of the voice dies when it has spoken this many words of an utterance. */
export interface SpeechFault {
  afterWords: number;
}

/** The sentences of the person at a relayed call. */
export interface RelayScript {
  /** Said one after the other, each when the agent has been silent for a moment. */
  says: string[];
  /** Their language, as it is found. */
  lang: string;
  /** Says the next sentence after this many words of the agent. */
  interruptsAfterWords?: number;
  fault?: SpeechFault;
}

const WORD_MS = 40;
/** The documented members of each message. */
const MEMBERS: Record<string, string[]> = {
  text: ['token', 'last', 'lang', 'interruptible', 'preemptible'],
  sendDigits: ['digits'],
  end: ['handoffData'],
};
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
  private isMute = false;

  constructor(
    private readonly options: StreamOptions,
    /** The members of the first message that say which call it is. */
    private readonly call: { from: string; to: string; direction: 'inbound' | 'outbound-api' },
    private readonly attributes: Record<string, string>,
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
    const isSpeaking = this.utterance.length > 0 && this.silentMs === 0;
    if (this.socket.readyState === WebSocket.OPEN) this.options.handset.tick(isSpeaking ? SOUND : SILENCE);
  }

  /** Somebody has spoken. */
  hear(words: string): void {
    if (this.isReported('speech') && words !== '') this.prompt(words);
  }

  /** Somebody begins to speak, which interrupts the agent. */
  noticeSpeech(): void {
    if (this.words.length > 0) this.isReported('speech');
  }

  press(digit: string): void {
    const isReported = this.isReported('dtmf');
    if (isReported && this.attributes.dtmfDetection === 'true') this.send({ type: 'dtmf', digit });
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
      ...{ parentCallSid: '', ...this.call, forwardedFrom: '', callerName: '' },
      // The example of the documents is an incoming call.
      callStatus: this.call.direction === 'inbound' ? 'RINGING' : 'IN-PROGRESS',
      customParameters: parameters,
    });
    opened();
  }

  private receive(data: Buffer): void {
    let frame: Record<string, unknown> = {};
    try {
      frame = JSON.parse(data.toString()) as typeof frame;
    } catch {
      // It counts as a message that is not valid.
    }
    const known = MEMBERS[String(frame.type)] ?? [];
    if (Object.keys(frame).some((name) => name !== 'type' && !known.includes(name))) frame = {};
    if (frame.type === 'text' && typeof frame.token === 'string' && typeof frame.last === 'boolean') {
      if (!this.isMute) this.words.push(...frame.token.split(/(?<=\s)/));
    } else if (frame.type === 'sendDigits' && /^[0-9#*w]+$/.test(String(frame.digits)))
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
    if (this.utterance.length === this.script.fault?.afterWords) return this.die();
    if (this.attributes.events?.includes('tokens-played'))
      this.send({ type: 'info', name: 'tokensPlayed', value: word });
    const { interruptsAfterWords: after } = this.script;
    if (after === undefined || this.utterance.length < after) return;
    this.script.interruptsAfterWords = undefined;
    this.hear(this.script.says.shift() ?? '');
  }

  /** The session goes on, and nothing is spoken any more. The documents do not say the words of the description. */
  private die(): void {
    this.isMute = true;
    this.words.length = 0;
    this.send({ type: 'error', description: 'Text-to-speech provider error' });
  }

  /** An input that does not interrupt the agent is reported in a pause, or if an attribute says so. */
  private isReported(input: Input): boolean {
    const { interruptible = 'any', reportInputDuringAgentSpeech = 'none' } = this.attributes;
    if (this.words.length === 0) return true;
    if (!names(interruptible, input)) return names(reportInputDuringAgentSpeech, input);
    this.interrupt();
    return true;
  }

  private interrupt(): void {
    this.words.length = 0;
    this.send({
      type: 'interrupt',
      utteranceUntilInterrupt: this.utterance.join('').trim(),
      durationUntilInterruptMs: this.utterance.length * WORD_MS,
    });
    this.silentMs = 0;
    this.utterance = [];
  }

  private say(): void {
    const words = this.script.says.shift();
    this.silentMs = 0;
    this.utterance = [];
    if (words !== undefined) this.prompt(words);
  }

  /** Reports the words of somebody who has spoken. */
  prompt(voicePrompt: string): void {
    if (voicePrompt !== '') this.send({ type: 'prompt', voicePrompt, lang: this.script.lang, last: true });
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
