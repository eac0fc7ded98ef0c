import type { Command } from './command';
import { Skipped, Violation } from './errors';
import { fieldText, type Message } from './messages';
import type { Proxy } from './proxy';
import type { Claim, Server } from './server';
import type { ToolApi } from './tool-api';

export type Suite = 'core' | 'reports' | 'incoming' | 'tools' | 'faults';
export type Level = 'MUST' | 'SHOULD';

export interface Scenario {
  id: string;
  suite: Suite;
  level: Level;
  /** The sentence of the contract that the scenario tests. */
  rule: string;
  /** The number of calls that the runtime may have at once. */
  capacity?: number;
  /** The number of seconds for which the runtime waits for its calls after SIGTERM. */
  drainSeconds?: number;
  /** @throws Violation, Skipped */
  run(stage: Stage): Promise<void>;
}

const POLL_MS = 20;
const TAKE_SECONDS = 10;

/** The means of a scenario: the server that the kit plays, the proxy and the runtime. */
export class Stage {
  constructor(
    readonly server: Server,
    readonly proxy: Proxy,
    readonly command: Command,
    readonly now: () => number,
    /** The suite that the user asks for: a runtime that does nothing of it breaks its rules. */
    readonly suite: Suite | 'all',
  ) {}

  pause(seconds: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  }

  /**
   * Waits for a value.
   * @throws Violation with this text after this number of seconds
   */
  async until<T>(
    read: () => T | Promise<T>,
    seconds: number,
    otherwise: string,
  ): Promise<Exclude<T, undefined | false | null | 0 | ''>> {
    const deadline = this.now() + seconds * 1_000;
    for (;;) {
      const value = await read();
      if (value) return value as Exclude<T, undefined | false | null | 0 | ''>;
      if (this.now() > deadline) throw new Violation(`${otherwise} (waited ${seconds} s)`);
      await this.pause(POLL_MS / 1_000);
    }
  }

  claim(conversationId: string, count = 1, seconds = TAKE_SECONDS): Promise<Claim> {
    return this.until(
      () => this.server.findClaims(conversationId)[count - 1],
      seconds,
      `Claim ${count} of the call did not arrive`,
    );
  }

  event(conversationId: string, type: string, seconds: number): Promise<Message> {
    return this.until(
      () => this.server.findEvents(conversationId, type)[0],
      seconds,
      `${type} of the call did not arrive`,
    );
  }

  /** The end of a call: `call.ended.v1` or `call.failed.v1`. */
  end(conversationId: string, seconds: number): Promise<Message> {
    return this.until(() => this.findEnd(conversationId), seconds, 'The end of the call was not reported');
  }

  findEnd(conversationId: string): Message | undefined {
    const { server } = this;
    return (
      server.findEvents(conversationId, 'call.ended.v1')[0] ??
      server.findEvents(conversationId, 'call.failed.v1')[0]
    );
  }

  /** Lets the runtime answer a call. Skips the scenario if the runtime requests nothing. */
  async incoming(callee: string): Promise<Claim> {
    this.command.write(`incoming +15557654321 +15551234567 ${callee}`);
    const asked = () => this.server.claims.find(({ type }) => type === 'call.incoming.v1');
    const otherwise = 'The runtime did not ask for the incoming call';
    return this.orSkip('incoming', this.until(asked, 5, otherwise), 'The runtime takes no incoming calls.');
  }

  /** Waits until the runtime has asked for a tool. Skips the scenario if the call ends before. */
  async asked(api: ToolApi, conversationId: string): Promise<void> {
    const asked = async () => {
      await this.until(() => api.askings[0] ?? this.findEnd(conversationId), 25, 'The call did not end');
      must(api.askings.length > 0, 'The runtime did not ask for the tool.');
    };
    await this.orSkip('tools', asked(), 'The runtime asks for no tools.');
  }

  private async orSkip<T>(suite: Suite, result: Promise<T>, why: string): Promise<T> {
    try {
      return await result;
    } catch (error) {
      if (!(error instanceof Violation) || this.suite === suite) throw error;
      throw new Skipped(why);
    }
  }
}

/** The longest time between two of these moments that follow each other, in milliseconds. */
export function longestGap(moments: number[]): number {
  const inOrder = [...moments].sort((one, other) => one - other);
  return Math.max(0, ...inOrder.slice(1).map((at, index) => at - (inOrder[index] as number)));
}

export function must(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Violation(otherwise);
}

/** @throws Violation if the event has another reason or party */
export function mustEndWith(end: Message, type: string, reason: string, by?: string): void {
  const seen = `${end.type} with the reason ${fieldText(end.body, 'disconnect_reason')} by ${fieldText(end.body, 'disconnected_by')}`;
  must(end.type === type, `The call ended with ${seen}, not with ${type}.`);
  must(end.body?.['disconnect_reason'] === reason, `The call ended with ${seen}; the reason is ${reason}.`);
  if (by !== undefined)
    must(end.body['disconnected_by'] === by, `The call ended with ${seen}; it was ended by ${by}.`);
}
