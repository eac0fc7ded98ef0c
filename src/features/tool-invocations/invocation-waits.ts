import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { leaveRequest } from '../../platform/http/request-context';
import { INVOCATION_STATE } from './tool-invocation.entity';
import { type InvocationRow, ToolInvocationsRepository } from './tool-invocations.repository';
import { ToolSender } from './tool-sender';

const POLL_MS = 250;

export interface Wait {
  waitMs: number;
  clientGone: AbortSignal;
}

interface Waiter {
  id: string;
  /** @param settled left out: the wait is over */
  answer: (settled?: InvocationRow) => void;
}

/** Requests that wait until invocations are settled. One statement looks at all that run in other processes. */
@Injectable()
export class InvocationWaits implements OnModuleDestroy {
  private readonly logger = new Logger(InvocationWaits.name);
  private readonly waiters = new Set<Waiter>();
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(
    private readonly invocations: ToolInvocationsRepository,
    private readonly sender: ToolSender,
  ) {}

  /** @returns what it is when it is settled, or the time is over */
  async wait(invocation: InvocationRow, { waitMs, clientGone }: Wait): Promise<InvocationRow> {
    if (invocation.state !== INVOCATION_STATE.running || waitMs <= 0) return invocation;
    const over = AbortSignal.any([clientGone, AbortSignal.timeout(Math.ceil(waitMs))]);
    return (await this.findSettled(invocation.id, over)) ?? invocation;
  }

  /** Answers the requests for what runs elsewhere: it goes on, and the next request finds it. */
  onModuleDestroy(): void {
    this.isStopping = true;
    clearTimeout(this.timer);
    for (const { answer } of this.findPolled()) answer();
  }

  private findSettled(id: string, over: AbortSignal): Promise<InvocationRow | undefined> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        id,
        answer: (settled) => {
          this.waiters.delete(waiter);
          resolve(settled);
        },
      };
      this.waiters.add(waiter);
      const here = this.sender.findRunning(id);
      void here?.then((settled) => settled && waiter.answer(settled));
      if (over.aborted || (this.isStopping && !here)) waiter.answer();
      else over.addEventListener('abort', () => waiter.answer(), { once: true });
      this.schedule();
    });
  }

  private findPolled(): Waiter[] {
    return [...this.waiters].filter(({ id }) => !this.sender.findRunning(id));
  }

  private schedule(): void {
    if (this.waiters.size === 0 || this.isStopping) return;
    this.timer ??= leaveRequest(() => setTimeout(() => void this.poll(), POLL_MS));
  }

  private async poll(): Promise<void> {
    const waiters = this.findPolled();
    try {
      const ids = [...new Set(waiters.map(({ id }) => id))];
      const found = ids.length > 0 ? await this.invocations.findSettled(ids) : [];
      const settled = new Map(found.map((row) => [row.id, row]));
      for (const { id, answer } of waiters) if (settled.has(id)) answer(settled.get(id));
    } catch (error) {
      this.logger.warn({ err: error }, 'The invocations that requests wait for could not be read');
    }
    this.timer = undefined;
    this.schedule();
  }
}
