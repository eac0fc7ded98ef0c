import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CALL_START_LIMITS } from '../../../src/platform/messaging/message-body';
import { RabbitmqBroker } from '../../../src/platform/messaging/rabbitmq.broker';
import {
  type Incoming,
  type IncomingAccepted,
  type IncomingRefused,
  MESSAGE_TYPES,
} from '../../../src/platform/messaging/wire';
import { until } from '../../support/until';
import type { Installation } from './installation';
import type { PhoneNumbers } from './numbers';

/** The runtime of the incoming calls, which is never killed. */
export const INCOMING_WORKER = 'incoming runtime';

/** The number of turns of the transcript of each call. */
export const TURNS = 3;

const CALL_EVERY_MS = 100;
const PUBLISH_TIMEOUT_MS = 300;
const MAX_IN_PROGRESS = 10;
/** The number of claims with the same id that are sent at once. */
const COPIES = 2;
const ANSWER_TIMEOUT_MS = 2_000;
const RECOVERY_TIMEOUT_MS = 180_000;

/** A call that reached the runtime, from a number that no other call has. */
export interface ReceivedCall {
  claimId: string;
  from: string;
  /** The ids of all conversations that its claim was answered with. */
  answers: Set<string>;
  refusals: string[];
}

/** A turn that was spoken now. */
const turn = (sequence: number) => ({
  sequence,
  speaker: 'agent',
  text: `Turn ${sequence}`,
  started_at: new Date().toISOString(),
});

/** Receives calls at a steady rate, and claims each of them several times. */
export class IncomingLoad {
  readonly received: ReceivedCall[] = [];
  private readonly broker: RabbitmqBroker;
  private readonly everyMs: number;
  private readonly inProgress = new Set<Promise<void>>();
  private stopping = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly installation: Installation,
    private readonly numbers: PhoneNumbers,
    { publishTimeoutMs = PUBLISH_TIMEOUT_MS, everyMs = CALL_EVERY_MS } = {},
  ) {
    const { brokerUrls: urls, topology } = installation;
    this.everyMs = everyMs;
    this.broker = new RabbitmqBroker({ urls, topology, publishTimeoutMs });
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
      await pause(this.everyMs);
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
    const connected_at = new Date().toISOString();
    await this.report(first, MESSAGE_TYPES.connected, { occurred_at: connected_at });
    await this.report(first, MESSAGE_TYPES.transcript, { turns: [turn(1), turn(2)] });
    await this.report(first, MESSAGE_TYPES.transcript, { turns: [turn(TURNS)] });
    await this.report(first, MESSAGE_TYPES.ended, {
      occurred_at: new Date().toISOString(),
      connected_at,
      disconnect_reason: 'user_hangup',
      disconnected_by: 'user',
      transcript_turns: TURNS,
    });
    await this.ask(call, incoming);
  }

  /** Repeats the report until RabbitMQ confirms it. */
  private async report({ conversation_id, token }: IncomingAccepted, type: string, fields: object) {
    const message = {
      exchange: this.installation.topology.events,
      routingKey: type.replace(/\.v\d+$/, ''),
      type,
      messageId: randomUUID(),
      body: { conversation_id, token, ...fields },
    };
    const isConfirmed = () =>
      this.broker.publish(message).then(
        () => true,
        () => false,
      );
    await until(isConfirmed, RECOVERY_TIMEOUT_MS);
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
        // Without this, the copies for a slow server would slow it further.
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
