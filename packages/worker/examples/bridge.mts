// A worker for a telephony library. `Telephony` and `Agent` are the places where yours go.
import {
  type Call,
  CallFailed,
  type CallResult,
  createWorker,
  IncomingRefused,
  type Worker,
  type WorkerOptions,
} from '@parley/worker';

/** Place 1: your telephony. */
export interface Telephony {
  /** Resolves when the person answers. @throws DialError @param from '' if your trunk chooses */
  dial(to: string, from: string, signal: AbortSignal): Promise<Line>;
  /** Calls that reach your numbers. */
  onRinging(ring: (ringing: Ringing) => void): void;
}

export interface Ringing {
  to: string;
  /** '' where it is withheld. */
  from: string;
  /** The id of the call in your telephony. */
  id: string;
  answer(): Promise<Line>;
  decline(): void;
}

export interface Line {
  /** Resolves when the person hangs up. */
  hungUp: Promise<void>;
  hangUp(): void;
  /** The address of the recording; undefined if there is none. */
  recording(): Promise<{ url: string; seconds: number } | undefined>;
}

export class DialError extends Error {
  constructor(readonly why: keyof typeof REASONS) {
    super(`The call was not answered: ${why}`);
  }
}

/** Place 2: your agent. Speaks on the line until it has nothing more to say, and reports the turns. */
export type Agent = (call: Call, line: Line) => Promise<CallResult>;

const REASONS = {
  busy: 'dial_busy',
  no_answer: 'dial_no_answer',
  invalid_number: 'invalid_destination',
  failed: 'dial_failed',
} as const;

/** A worker that dials the calls of Parley, and answers those that reach your numbers. */
export function createBridge(telephony: Telephony, agent: Agent, options: WorkerOptions = {}): Worker {
  /** Incoming calls that are not over, by their id. */
  const ringing = new Map<string, Ringing>();

  const reach = async ({ direction, start, signal }: Call): Promise<Line> => {
    const incoming = direction === 'inbound' ? ringing.get(start.external_id) : undefined;
    if (incoming) return incoming.answer();
    try {
      return await telephony.dial(start.to_number, start.from_number, signal);
    } catch (error) {
      throw error instanceof DialError ? new CallFailed(REASONS[error.why]) : error;
    }
  };

  const worker = createWorker(
    { name: 'bridge', capacity: 50, handleSignals: true, ...options },
    async (call) => {
      const line = await reach(call);
      call.signal.addEventListener('abort', () => line.hangUp());
      await call.connected();
      const hungUp = line.hungUp.then((): CallResult => ({ reason: 'user_hangup' }));
      const result = await Promise.race([agent(call, line), hungUp]);
      line.hangUp();
      const recording = await line.recording();
      if (recording) await call.recorded({ url: recording.url, durationSec: recording.seconds });
      // After a hang-up by a client, the library reports the call as cancelled.
      return call.signal.aborted ? {} : result;
    },
  );

  telephony.onRinging((call) => {
    ringing.set(call.id, call);
    worker
      .incoming({ to_number: call.to, from_number: call.from, external_id: call.id })
      .catch((error: unknown) => {
        call.decline();
        if (!(error instanceof IncomingRefused)) console.error(error);
      })
      .finally(() => ringing.delete(call.id));
  });
  return worker;
}
