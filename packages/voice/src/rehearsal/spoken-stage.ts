import type { Brain } from '../brain/brain';
import { ChatCompletionsBrain, type ChatContext, type ChatModel } from '../brain/chat-completions';
import { ScriptedBrain } from '../brain/scripted-brain';
import { type Clock, systemClock } from '../clock';
import { type StartedLine, startLine } from '../doors/line/start-line';
import { describeError } from '../errors';
import type { Speech } from '../speech/services';
import { SpokenCall } from './spoken-call';
import type { PlayedCall, Stage, StageParts } from './stage';

/** An unassigned number. The line connects any number with the person of the rehearsal. */
const NUMBER = '+15550000000';
const LEASE_SECONDS = 30;

/** This runtime has no speech, so that it can play no rehearsal that is spoken. */
export class SpeechMissing extends Error {}

export interface SpokenStageParts {
  /** The speech of both sides. */
  speech: Speech & { warm(): Promise<void> };
  /** Reports what operators should know. */
  warn: (code: string, text: string) => void;
  /** Ends the call. */
  signal: AbortSignal;
}

/** Real time, and the line of this machine: the agent and the person hear each other's speech. */
export class SpokenStage implements Stage {
  readonly isVirtual = false;
  readonly clock: Clock;
  private line?: Promise<StartedLine>;

  /** @param start the time of day at the beginning */
  constructor(
    start: Date,
    private readonly parts: SpokenStageParts,
  ) {
    const zero = start.getTime() - systemClock.now();
    this.clock = { ...systemClock, date: () => new Date(zero + systemClock.now()) };
  }

  hold(): () => void {
    return () => undefined;
  }

  createBrain(model: ChatModel | undefined, context: ChatContext): Brain {
    return model ? new ChatCompletionsBrain(model, context) : new ScriptedBrain(context.variables, context);
  }

  /** @throws SpeechMissing; Error if the agent is one that is written to */
  async open(parts: StageParts): Promise<PlayedCall> {
    const { speech, warn, signal } = this.parts;
    const { plan, heard } = parts;
    if (!plan.spoken) throw new Error('The agent is written to, so that there is nothing to hear.');
    await speech.warm().catch((error: unknown) => {
      throw new SpeechMissing(`This runtime can neither hear nor speak: ${describeError(error)}`);
    });
    signal.throwIfAborted();
    const call = new SpokenCall({ clock: this.clock, heard, synthesizer: speech.synthesizer, signal });
    this.line = startLine({
      speech,
      script: () => ({ toPerson: (hangUp) => call.pickUp(hangUp) }),
      // The line and its door end one after the other.
      logger: { warn: (text) => call.isOver || warn('line', text) },
    });
    const { carrier } = await this.line;
    const session = await carrier.dial(
      {
        ...{ id: 'rehearsal', to: NUMBER, from: NUMBER, detectsMachine: false, mayTransfer: false },
        ...{ maximumMs: plan.limits.maximumMs, leaseSeconds: LEASE_SECONDS, speech: plan.carrierSpeech },
      },
      signal,
    );
    return call.begin(session, parts, speech);
  }

  async close(): Promise<void> {
    await (await this.line)?.close();
  }
}
