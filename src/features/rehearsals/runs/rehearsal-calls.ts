import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { CONFIG, type Config } from '../../../config';
import {
  type Claimed,
  type ClaimRefused,
  type Judgement,
  MESSAGE_TYPES,
  type RehearsalFacts,
} from '../../../platform/messaging/wire';
import { grantOf } from '../../calls/model/call-credential';
import { REASON } from '../../calls/model/call-states';
import type { ClaimScope } from '../../calls/model/claim-scope';
import { RuntimeCommands } from '../../calls/lifecycle/runtime-commands';
import { CallEventsService, type RehearsedCalls } from '../../calls/runtime-messages/call-events.service';
import type { CallEventDto, CallFailedDto, ClaimDto } from '../../calls/runtime-messages/call-events.dto';
import type { Check } from '../rehearsal-definition';
import { type CheckResult, grade, gradeJudgement, listCriteria } from './grade';
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

  /** Compares the facts with the checks, which settles the call, unless everything holds and a model judges it. */
  async rehearsed(event: CallOfRehearsal, facts: RehearsalFacts): Promise<void> {
    const held = toHeld(event);
    const played = await this.plays.findPlayed(held);
    if (!played) return;
    // An old copy of the message came before that of the judgement, or the runtime knows no judgements.
    if (played.facts) return this.giveUp(held, NOT_PLAYED);
    const verdict = await toVerdict(played.checks, facts);
    const isJudged = verdict.status === 'passed' && listCriteria(played.checks).length > 0;
    if (isJudged && verdict.checks) await this.plays.queueJudgement(held, facts, verdict.checks);
    else await this.plays.settle(held, { facts, tokens: facts.figures.tokens, ...verdict });
    await this.scheduler.advance(played.workspaceId);
  }

  /** The judgement settles a call whose other checks hold. */
  async judged(event: CallOfRehearsal, answers: Judgement[], tokens: number): Promise<void> {
    const held = toHeld(event);
    const played = await this.plays.findPlayed(held);
    if (!played?.facts) return;
    const { facts, graded } = played;
    const checks = [...(graded ?? [])];
    const judged = gradeJudgement(listCriteria(played.checks), answers);
    await this.plays.settle(held, {
      facts: { ...facts, figures: { ...facts.figures, tokens: facts.figures.tokens + tokens } },
      tokens,
      ...(judged ? compare([...checks, ...judged]) : { status: 'error', checks, error: NO_JUDGEMENT }),
    });
    await this.scheduler.advance(played.workspaceId);
  }

  ended(event: CallOfRehearsal): Promise<void> {
    return this.plays.noteEnd(toHeld(event));
  }

  failed({ disconnect_reason: reason, ...event }: CallFailedDto): Promise<void> {
    const held = toHeld(event);
    if (reason === REASON.dial_busy) return this.plays.putBack(held);
    return this.giveUp(held, reason === REASON.dial_failed ? NO_SPEECH : NOT_PLAYED);
  }

  private async giveUp(held: HeldRehearsal, error: string): Promise<void> {
    const workspaceId = await this.plays.giveUp(held, error);
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

const NO_JUDGEMENT = 'NO_JUDGEMENT';
const NOT_PLAYED = 'NOT_PLAYED';
/** The runtimes that took it can neither hear nor speak. */
const NO_SPEECH = 'NO_SPEECH';

type Verdict = Pick<Outcome, 'status' | 'checks' | 'error'>;

async function toVerdict(checks: Check[], facts: RehearsalFacts): Promise<Verdict> {
  if (facts.end.reason === 'error')
    return { status: 'error', checks: null, error: 'The conversation ended with an error.' };
  return compare(await grade(checks, facts));
}

const compare = (checks: CheckResult[]): Verdict => ({
  status: checks.every(({ passed }) => passed) ? 'passed' : 'failed',
  checks,
  error: null,
});
