import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { CALL_START_LIMITS } from '../../src/messaging/message-body';
import { RabbitmqBroker } from '../../src/messaging/rabbitmq.broker';
import {
  type Incoming,
  type IncomingAccepted,
  type IncomingRefused,
  MESSAGE_TYPES,
} from '../../src/messaging/wire';
import { CallReporter } from '../../src/runtime/call-reporter';
import { until } from '../support/until';
import type { Installation } from './installation';
import type { PhoneNumbers } from './numbers';

/** The runtime of the incoming calls, which is never killed. */
export const INCOMING_WORKER = 'incoming runtime';

/** How many turns the transcript of each call has. */
export const TURNS = 3;

const CALL_EVERY_MS = 100;
const MAX_IN_PROGRESS = 10;
/** Sent at once with the same claim. */
const COPIES = 2;
const ANSWER_TIMEOUT_MS = 2_000;
const RECOVERY_TIMEOUT_MS = 60_000;

/** A call that reached the runtime, from a number that no other call has. */
export interface ReceivedCall {
  claimId: string;
  from: string;
  /** The ids of all conversations that its claim was answered with. */
  answers: Set<string>;
  refusals: string[];
}

/** Turns that were spoken now, in two batches. */
export function reportTurns(reporter: CallReporter): void {
  const turn = (sequence: number) => ({
    sequence,
    speaker: 'agent',
    text: `Turn ${sequence}`,
    started_at: new Date().toISOString(),
  });
  reporter.transcript([turn(1), turn(2)]);
  reporter.transcript([turn(TURNS)]);
}

/** Receives calls at a steady rate, and asks for each of them several times. */
export class IncomingLoad {
  readonly received: ReceivedCall[] = [];
  private readonly broker: RabbitmqBroker;
  private readonly inProgress = new Set<Promise<void>>();
  private readonly neverAborted = new AbortController().signal;
  private stopping = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly installation: Installation,
    private readonly numbers: PhoneNumbers,
  ) {
    const { services, topology } = installation;
    this.broker = new RabbitmqBroker({ url: services.rabbitmq.url, topology, publishTimeoutMs: 300 });
    setMaxListeners(0, this.neverAborted);
  }

  begin(): void {
    this.running = this.run();
  }

  /** Resolves when every call has ended. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.running;
    await Promise.all(this.inProgress);
    await this.broker.close();
  }

  private async run(): Promise<void> {
    await this.broker.open();
    while (!this.stopping) {
      if (this.inProgress.size < MAX_IN_PROGRESS) this.receive();
      await pause(CALL_EVERY_MS);
    }
  }

  private receive(): void {
    const { agentNumbers } = this.installation;
    const to = agentNumbers[this.received.length % agentNumbers.length] as string;
    const call = {
      claimId: randomUUID(),
      from: this.numbers.next(),
      answers: new Set<string>(),
      refusals: [],
    };
    this.received.push(call);
    // The invariants report a call without an answer.
    const playing = this.play(call, to).catch(() => undefined);
    this.inProgress.add(playing);
    void playing.then(() => this.inProgress.delete(playing));
  }

  private async play(call: ReceivedCall, to: string): Promise<void> {
    const incoming = {
      claim_id: call.claimId,
      worker_id: INCOMING_WORKER,
      to_number: to,
      from_number: call.from,
    };
    const [first] = await Promise.all(Array.from({ length: COPIES }, () => this.ask(call, incoming)));
    if (!first) return;
    const reporter = new CallReporter(this.broker, this.installation.topology, first, this.neverAborted);
    const connectedAt = new Date();
    reporter.connected(connectedAt);
    reportTurns(reporter);
    reporter.ended(new Date(), {
      connected_at: connectedAt.toISOString(),
      disconnect_reason: 'user_hangup',
      disconnected_by: 'user',
      transcript_turns: TURNS,
    });
    await reporter.settled();
    await this.ask(call, incoming);
  }

  /** Repeats the claim until it is answered. @returns undefined if it is refused */
  private async ask(call: ReceivedCall, incoming: Incoming): Promise<IncomingAccepted | undefined> {
    const { topology } = this.installation;
    const reply = await until(async () => {
      const request = {
        exchange: '',
        routingKey: topology.claimsQueue,
        type: MESSAGE_TYPES.incoming,
        messageId: randomUUID(),
        body: incoming,
        persistent: false,
        // Otherwise the copies for a slow server would slow it further.
        expirationMs: ANSWER_TIMEOUT_MS,
      };
      return this.broker.request(request, ANSWER_TIMEOUT_MS, CALL_START_LIMITS).catch(() => undefined);
    }, RECOVERY_TIMEOUT_MS);
    const answer = reply.body as IncomingAccepted | IncomingRefused;
    if ('reason' in answer) {
      call.refusals.push(answer.reason);
      return undefined;
    }
    call.answers.add(answer.conversation_id);
    return answer;
  }
}
