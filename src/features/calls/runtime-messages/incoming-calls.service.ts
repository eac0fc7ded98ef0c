import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { AgentVersionsService } from '../../agents/agent-versions.service';
import { CONFIG, type Config } from '../../../config';
import { ONE_WORKSPACE_AT_ONCE, StatementBatcher } from '../../../platform/database/statement-batcher';
import { type IncomingAccepted, type IncomingRefused, MESSAGE_TYPES } from '../../../platform/messaging/wire';
import { canonicalNumber } from '../../../platform/validation/phone-number';
import { currentTraceparent, describeCurrentSpan } from '../../../platform/tracing/tracing';
import { grantOf } from '../model/call-credential';
import { toCallRequest, sizeOfRequest, toStoredRequest } from '../model/call-request';
import { createCallStart } from '../model/call-start.message';
import { IncomingCallCounter } from './incoming-call-counter';
import {
  type ClaimedIncomingCall,
  type IncomingCall,
  IncomingCallsRepository,
  type IncomingDecision,
} from './incoming-calls.repository';
import type { ClaimScope } from '../model/claim-scope';
import type { IncomingCallDto } from './incoming-calls.dto';

type Refusal = Exclude<NonNullable<IncomingDecision['refusal']>, 'locked'>;

/** The reasons of `call.incoming-refused.v1`. No reason names a suspended workspace: its callers do not need it. */
const REASONS: Record<Refusal, string> = {
  'no agent': 'unknown_number',
  'agent off': 'agent_off',
  suspended: 'agent_off',
  'no credits': 'insufficient_credits',
  'no credits today': 'insufficient_credits',
  'too many calls': 'too_many_calls',
  'do not call': 'do_not_call',
};

/** The length of the calls that share a statement, in characters. */
const MAX_STATEMENT_LENGTH = 256 * 1024;

/** Decides whether a runtime answers a call. Claims that wait share a statement, as the calls of clients do. */
@Injectable()
export class IncomingCallsService {
  private readonly unlocked = this.batcher(true);
  private readonly waiting = this.batcher(false);

  constructor(
    private readonly calls: IncomingCallsRepository,
    private readonly versions: AgentVersionsService,
    private readonly counter: IncomingCallCounter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Decides on a claim. The same claim gets the same call, in any state. A refusal stores nothing and can change.
   */
  async claim(
    message: IncomingCallDto,
    scope: ClaimScope,
  ): Promise<{ type: string; body: IncomingAccepted | IncomingRefused }> {
    const { claim_id } = message;
    const decision = await this.decide(this.toIncomingCall(message, scope));
    if (decision?.refusal === null && decision.id !== null) {
      this.counter.count('accepted');
      return this.accepted({ ...decision, request: toCallRequest(decision.request) });
    }
    // Another statement may have accepted the claim while this one waited, and taken the last credit for it.
    const accepted = await this.calls.find(claim_id, scope);
    if (accepted) {
      this.counter.count('repeated');
      return this.accepted(accepted);
    }
    const reason = REASONS[getRefusal(decision, scope)];
    this.counter.count(reason);
    return { type: MESSAGE_TYPES.incomingRefused, body: { claim_id, reason } };
  }

  private async decide(call: IncomingCall): Promise<IncomingDecision | undefined> {
    const length = sizeOfRequest(toCallRequest(call.request));
    const first = await this.unlocked.add(call.toNumber, call, length);
    if (first?.refusal !== 'locked') return first;
    return this.waiting.add(first.workspaceOfNumber as string, call, length);
  }

  private async accepted(call: ClaimedIncomingCall): Promise<{ type: string; body: IncomingAccepted }> {
    describeCurrentSpan({
      'parley.call_id': call.id,
      'parley.workspace_id': call.workspaceId,
      'parley.agent_id': call.agentId,
    });
    const body: IncomingAccepted = {
      conversation_id: call.id,
      // An incoming call is claimed as it is created.
      ...grantOf({ id: call.id, token: call.token, acceptedAt: call.createdAt }, this.config),
      worker_id: call.workerId,
      call: createCallStart(call, await this.versions.getConfiguration(call)),
    };
    return { type: MESSAGE_TYPES.incomingAccepted, body };
  }

  private toIncomingCall(message: IncomingCallDto, scope: ClaimScope): IncomingCall {
    return {
      id: uuidv7(),
      claimId: message.claim_id.toLowerCase(),
      workerId: message.worker_id,
      token: randomUUID(),
      toNumber: spelling(message.to_number),
      fromNumber: spelling(message.from_number),
      callType: message.call_type,
      // Without a request, its trace begins with the message.
      request: toStoredRequest(toCallRequest({ ...message, traceparent: currentTraceparent() })),
      ttlSeconds: this.config.CALL_TTL_SECONDS,
      scope,
    };
  }

  private batcher(skipLocked: boolean) {
    return new StatementBatcher(
      (calls: IncomingCall[]) =>
        this.calls.accept(calls, { workspaceConcurrency: this.config.WORKSPACE_CONCURRENCY, skipLocked }),
      { ...(!skipLocked && ONE_WORKSPACE_AT_ONCE), maxWeight: MAX_STATEMENT_LENGTH },
    );
  }
}

/** A network may show a number that is not possible; it stays as it is. */
const spelling = (number: string) => canonicalNumber(number) ?? number;

function getRefusal(decision: IncomingDecision | undefined, scope: ClaimScope): Refusal {
  // A call of another workspace has the claim.
  if (!decision && scope !== null) return 'no agent';
  if (decision?.refusal && decision.refusal !== 'locked') return decision.refusal;
  throw new Error('An incoming call was neither accepted nor refused.');
}
