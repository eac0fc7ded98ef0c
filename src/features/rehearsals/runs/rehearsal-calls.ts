import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { CONFIG, type Config } from '../../../config';
import { leaveRequest } from '../../../platform/http/request-context';
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
import type {
  CallEndedDto,
  CallEventDto,
  CallFailedDto,
  ClaimDto,
} from '../../calls/runtime-messages/call-events.dto';
import type { CallAnalyzedDto } from '../../reports/runtime-reports/call-reports.dto';
import type { Check } from '../rehearsal-definition';
import { type CheckResult, grade, gradeJudgement, listCriteria } from './grade';
import { toEnd } from './joined-call';
import { JoinedPersons, type Joining } from './joined-persons';
import { JoinFailed } from './joined-socket';
import {
  type HeldRehearsal,
  type Outcome,
  type PlayedRehearsal,
  RehearsalPlaysRepository,
} from './rehearsal-plays.repository';
import { RehearsalScheduler } from './rehearsal-scheduler';

/** Applies the claims and reports of runtimes to the calls of runs. */
@Injectable()
export class RehearsalCalls implements RehearsedCalls, OnModuleInit {
  private readonly logger = new Logger(RehearsalCalls.name);

  constructor(
    private readonly plays: RehearsalPlaysRepository,
    private readonly scheduler: RehearsalScheduler,
    private readonly persons: JoinedPersons,
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

  /** Lets a person of this process join the call, which the message does not wait for. */
  async joinable(held: HeldRehearsal, url: string): Promise<void> {
    const joined = await this.plays.join(held);
    if (!joined) return;
    const hangUp = () => this.commands.hangUp(joined.workerId, held.id);
    if (this.persons.isFull(joined.workspaceId)) {
      await hangUp();
      await this.plays.putBack(held);
      return;
    }
    const onError = (error: unknown) =>
      this.logger.warn({ conversationId: held.id, err: error }, 'A joined rehearsal was not settled');
    // Its lease ends, so that it is offered again.
    leaveRequest(() => this.converse({ ...held, ...joined, url, hangUp })).catch(onError);
  }

  /** No address is in an error or a log. */
  private async converse(joining: Joining): Promise<void> {
    const held = { id: joining.id, token: joining.token };
    try {
      const facts = await this.persons.play(joining);
      const played = facts && (await this.plays.findPlayed(held));
      if (played) await this.grade(held, played, facts);
    } catch (error) {
      const { message } = error as Error;
      this.logger.warn({ conversationId: held.id, reason: message }, 'A rehearsal was not joined to its end');
      await this.giveUp(held, error instanceof JoinFailed ? JOIN_FAILED : NOT_PLAYED);
    }
  }

  /** The facts of a rehearsal that is joined are those of the server. */
  async rehearsed(event: CallOfRehearsal, facts: RehearsalFacts): Promise<void> {
    const held = toHeld(event);
    const played = await this.plays.findPlayed(held);
    if (played && played.mode !== 'joined') await this.grade(held, played, facts);
  }

  /** Compares the facts with the checks, which settles the call, unless everything holds and a model judges it. */
  private async grade(held: HeldRehearsal, played: PlayedRehearsal, facts: RehearsalFacts): Promise<void> {
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

  async ended(event: CallEndedDto): Promise<void> {
    const { disconnect_reason, disconnected_by, outcome } = event;
    const held = toHeld(event);
    await this.plays.addReported(held, { end: toEnd(disconnect_reason, disconnected_by), outcome });
    await this.plays.noteEnd(held);
  }

  analyzed({ fields, opt_out: optOut = false, ...event }: CallAnalyzedDto): Promise<void> {
    // A later report does not take it back.
    return this.plays.addReported(toHeld(event), { fields, ...(optOut && { optOut }) });
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
/** The address of a runtime cannot be joined, its connection was cut, or a frame made no sense. */
const JOIN_FAILED = 'JOIN_FAILED';
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
