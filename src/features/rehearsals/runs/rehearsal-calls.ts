import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { CONFIG, type Config } from '../../../config';
import {
  type Claimed,
  type ClaimRefused,
  MESSAGE_TYPES,
  type RehearsalFacts,
} from '../../../platform/messaging/wire';
import { grantOf } from '../../calls/model/call-credential';
import type { ClaimScope } from '../../calls/model/claim-scope';
import { RuntimeCommands } from '../../calls/lifecycle/runtime-commands';
import { CallEventsService, type RehearsedCalls } from '../../calls/runtime-messages/call-events.service';
import type { CallEventDto, ClaimDto } from '../../calls/runtime-messages/call-events.dto';
import type { Check } from '../rehearsal-definition';
import { grade } from './grade';
import { type HeldRehearsal, type Outcome, RehearsalPlaysRepository } from './rehearsal-plays.repository';
import { RehearsalScheduler } from './rehearsal-scheduler';

/** Applies the claims and reports of runtimes to the calls of runs. */
@Injectable()
export class RehearsalCalls implements RehearsedCalls, OnModuleInit {
  constructor(
    private readonly plays: RehearsalPlaysRepository,
    private readonly scheduler: RehearsalScheduler,
    private readonly calls: CallEventsService,
    private readonly commands: RuntimeCommands,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.calls.setRehearsals(this);
  }

  async claim(
    { conversation_id, claim_id, worker_id }: ClaimDto,
    scope: ClaimScope,
  ): Promise<{ type: string; body: Claimed | ClaimRefused }> {
    const id = conversation_id.toLowerCase();
    const claim = { id, claimId: claim_id, workerId: worker_id, token: randomUUID(), scope };
    const claimed = await this.plays.claim(claim);
    const { token = null, acceptedAt = null } = claimed ?? {};
    if (!claimed?.isOurs || token === null || acceptedAt === null) {
      const reason = `The rehearsal cannot be claimed: ${whyNot(claimed)}.`;
      return { type: MESSAGE_TYPES.claimRefused, body: { conversation_id, reason } };
    }
    return {
      type: MESSAGE_TYPES.claimed,
      body: { conversation_id, ...grantOf({ id, token, acceptedAt }, this.config) },
    };
  }

  async heartbeat(event: CallEventDto): Promise<void> {
    const held = toHeld(event);
    const workerId = await this.plays.hear(held);
    if (workerId !== undefined) await this.commands.hangUp(workerId, held.id);
  }

  /** Compares the facts with the checks, which settles the call. */
  async rehearsed(event: CallOfRehearsal, facts: RehearsalFacts): Promise<void> {
    const held = toHeld(event);
    const played = await this.plays.findPlayed(held);
    if (!played) return;
    await this.plays.settle(held, { facts, ...(await toVerdict(played.checks, facts)) });
    await this.scheduler.advance(played.workspaceId);
  }

  ended(event: CallOfRehearsal): Promise<void> {
    return this.plays.noteEnd(toHeld(event));
  }

  async failed(event: CallOfRehearsal): Promise<void> {
    const workspaceId = await this.plays.giveUp(toHeld(event));
    if (workspaceId !== undefined) await this.scheduler.advance(workspaceId);
  }
}

type CallOfRehearsal = Pick<CallEventDto, 'conversation_id' | 'token'>;

const toHeld = ({ conversation_id, token }: CallOfRehearsal): HeldRehearsal => ({
  id: conversation_id.toLowerCase(),
  token,
});

function whyNot(claimed: { isEnded: boolean; isExpired: boolean } | undefined): string {
  if (!claimed) return 'there is no such rehearsal';
  if (claimed.isEnded) return 'it was cancelled or has ended';
  return claimed.isExpired ? 'it has expired' : 'it was claimed already';
}

async function toVerdict(expected: Check[], facts: RehearsalFacts): Promise<Omit<Outcome, 'facts'>> {
  if (facts.end.reason === 'error')
    return { status: 'error', checks: null, error: 'The conversation ended with an error.' };
  const checks = await grade(expected, facts);
  const status = checks.every(({ passed }) => passed) ? 'passed' : 'failed';
  return { status, checks, error: null };
}
