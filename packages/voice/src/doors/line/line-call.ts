import { randomBytes } from 'node:crypto';
import { computeSignature } from '../twilio/signature';
import { Callee, type CalleeEvent, type CalleeParts, type LinePerson, type Script } from './callee';
import { MediaStream } from './media-stream';

export type Status =
  | 'queued'
  | 'initiated'
  | 'ringing'
  | 'in-progress'
  | 'completed'
  | 'busy'
  | 'no-answer'
  | 'failed'
  | 'canceled';
const FINAL = new Set<Status>(['completed', 'busy', 'no-answer', 'failed', 'canceled']);

/** The answer of a number. `toPerson` gives a person that decides by itself. */
export type Answer =
  Script | 'busy' | 'no-answer' | 'failed' | { toPerson: (hangUp: () => void) => LinePerson };

const RING_MS = 800;
/** Nobody waits for the whole of `Timeout` at a simulated phone. */
const NO_ANSWER_MS = 4_000;
const DETECTION_MS = 1_500;
const CALLBACK_MS = 5_000;

export interface LineCallOptions {
  accountSid: string;
  authToken: string;
  form: URLSearchParams;
  script: Answer;
  speech: Pick<CalleeParts, 'recognizer' | 'synthesizer'>;
  event: (event: CalleeEvent) => void;
  problem: (sentence: string) => void;
  ended: () => void;
}

/** One call on the line, from the request to the last callback. */
export class LineCall {
  readonly sid = `CA${randomBytes(16).toString('hex')}`;
  status: Status = 'queued';
  private readonly streams: { url: string; parameters: Record<string, string> }[];
  private readonly callee?: LinePerson;
  private readonly isMachine: boolean = false;
  private readonly timers = new Set<NodeJS.Timeout>();
  private stream?: MediaStream;
  private answeredAt = 0;
  private sequence = 0;
  private callbacks: Promise<void> = Promise.resolve();

  constructor(private readonly options: LineCallOptions) {
    const { form, script } = options;
    this.streams = readStreams(form.get('Twiml') ?? '');
    if (typeof script === 'object' && 'toPerson' in script) {
      this.callee = script.toPerson(() => this.end('completed'));
    } else if (typeof script === 'object') {
      this.isMachine = script.beeps === true;
      this.callee = new Callee(script, {
        ...options.speech,
        problem: options.problem,
        hangUp: () => this.end('completed'),
        event: (event) => {
          if (event.type === 'person-ended' && this.isMachine) this.detected('machine_end_beep');
          options.event(event);
        },
      });
    }
    this.after(50, () => {
      this.change('initiated');
      this.change('ringing');
      this.after(script === 'no-answer' ? NO_ANSWER_MS : RING_MS, () => this.pickUp());
    });
  }

  get isOver(): boolean {
    return FINAL.has(this.status);
  }

  /** Ends the call, from either side. */
  end(status: Status): void {
    if (this.isOver) return;
    for (const timer of this.timers) clearTimeout(timer);
    this.callee?.close();
    this.stream?.stop();
    this.change(status);
    void this.callbacks.then(() => this.options.ended());
  }

  /** Another document. A number that is dialled answers, and the two persons hang up soon. */
  instruct(document: string): void {
    this.streams.splice(0, Infinity, ...readStreams(document));
    this.stream?.stop();
    this.stream = undefined;
    const [, callbackUrl] = /<Dial\b[^>]*><Number statusCallback="([^"]*)"/.exec(document) ?? [];
    if (callbackUrl === undefined) return this.nextStream();
    this.after(RING_MS, () => {
      this.callBack(unescaped(callbackUrl), { ParentCallSid: this.sid, CallStatus: 'in-progress' });
      this.after(RING_MS, () => this.end('completed'));
    });
  }

  private pickUp(): void {
    const { script } = this.options;
    if (typeof script === 'string') return this.end(script);
    this.answeredAt = Date.now();
    this.change('in-progress');
    this.nextStream();
    if (!this.isMachine) this.after(DETECTION_MS, () => this.detected('human'));
  }

  private detected(answeredBy: string): void {
    const { form } = this.options;
    const url = form.get('AsyncAmdStatusCallback');
    if (url && form.has('MachineDetection')) this.callBack(url, { AnsweredBy: answeredBy });
  }

  /** The verbs of the call's document, one after the other. Without a further one, the call ends. */
  private nextStream(): void {
    const next = this.streams.shift();
    if (!next) return this.end(this.answeredAt > 0 ? 'completed' : 'failed');
    const { accountSid, authToken } = this.options;
    const streamSid = `MZ${randomBytes(16).toString('hex')}`;
    const { callee } = this;
    const stream = new MediaStream(
      next.url,
      {
        ...{ accountSid, callSid: this.sid, streamSid, parameters: next.parameters },
        signature: computeSignature(authToken, next.url),
      },
      {
        played: (samples) => callee?.hear(samples),
        cleared: () => callee?.cleared(),
        closed: () => this.after(100, () => this.nextStream()),
      },
    );
    const isFirst = this.stream === undefined;
    this.stream = stream;
    if (isFirst) callee?.answer(stream);
    else callee?.moveTo(stream);
  }

  private change(status: Status): void {
    this.status = status;
    const { form } = this.options;
    const url = form.get('StatusCallback');
    const event = FINAL.has(status) ? 'completed' : status === 'in-progress' ? 'answered' : status;
    if (!url || !form.getAll('StatusCallbackEvent').includes(event)) return;
    const seconds = Math.round((Date.now() - this.answeredAt) / 1_000);
    this.callBack(url, {
      CallStatus: status,
      SequenceNumber: String(this.sequence++),
      ...(event === 'completed' && this.answeredAt > 0 ? { CallDuration: String(seconds) } : {}),
      ...(status === 'failed' ? { SipResponseCode: '404' } : {}),
    });
  }

  /** One after the other, as they happened. One that fails is not repeated. */
  private callBack(url: string, fields: Record<string, string>): void {
    const { accountSid, authToken, form, problem } = this.options;
    const body = new URLSearchParams({
      ...{ AccountSid: accountSid, CallSid: this.sid, Direction: 'outbound-api' },
      ...{ To: form.get('To') ?? '', From: form.get('From') ?? '' },
      ...fields,
    });
    const headers = { 'x-twilio-signature': computeSignature(authToken, url, body) };
    this.callbacks = this.callbacks.then(async () => {
      try {
        const signal = AbortSignal.timeout(CALLBACK_MS);
        const response = await fetch(url, { method: 'POST', headers, body, signal });
        await response.arrayBuffer();
        if (!response.ok) problem(`A callback was answered with status ${response.status}`);
      } catch (error) {
        problem(`A callback failed: ${String(error)}`);
      }
    });
  }

  private after(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      if (!this.isOver) run();
    }, ms);
    this.timers.add(timer);
  }
}

/** The streams of a TwiML document that has nothing else. */
function readStreams(document: string): { url: string; parameters: Record<string, string> }[] {
  return [...document.matchAll(/<Stream\s+url="([^"]*)"\s*(?:\/>|>(.*?)<\/Stream>)/gs)].map(
    ([, url = '', inner = '']) => ({
      url: unescaped(url),
      parameters: Object.fromEntries(
        [...inner.matchAll(/<Parameter\s+name="([^"]*)"\s+value="([^"]*)"\s*\/>/g)].map(
          ([, name = '', value = '']) => [unescaped(name), unescaped(value)],
        ),
      ),
    }),
  );
}

const unescaped = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
