import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { INVOCATION_STATE } from './tool-invocation.entity';
import { type InvocationRow, ToolInvocationsRepository } from './tool-invocations.repository';
import { ToolSender } from './tool-sender';

const POLL_MS = 250;

export interface Wait {
  waitMs: number;
  clientGone: AbortSignal;
}

/** Waits until invocations are settled, wherever they run. */
@Injectable()
export class InvocationWaits {
  constructor(
    private readonly invocations: ToolInvocationsRepository,
    private readonly sender: ToolSender,
  ) {}

  /** @returns what it is when it is settled, or the time is over */
  async wait(
    call: { workspaceId: string; callId: string },
    invocation: InvocationRow,
    { waitMs, clientGone }: Wait,
  ): Promise<InvocationRow> {
    const end = performance.now() + waitMs;
    let found = invocation;
    while (found.state === INVOCATION_STATE.running && performance.now() < end) {
      const left = Math.max(1, end - performance.now());
      const here = this.sender.findRunning(found.id);
      const time = new AbortController();
      const signal = AbortSignal.any([clientGone, time.signal]);
      const waiting = pause(here ? left : Math.min(POLL_MS, left), undefined, { signal });
      const settled = await Promise.race([waiting, ...(here ? [here] : [])]).finally(() => time.abort());
      waiting.catch(() => undefined);
      found = settled ?? (await this.invocations.find(call.workspaceId, call.callId, found.id)) ?? found;
    }
    return found;
  }
}
