import { Inject, Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { CONFIG, type Config } from '../../../config';
import { type Claimed, type ClaimRefused, MESSAGE_TYPES } from '../../../platform/messaging/wire';
import type { CallEndedDto, CallEventDto, CallFailedDto, CallJoinableDto, ClaimDto } from './call-events.dto';
import { isStorableText } from '../../../platform/validation/storable';
import { parseDateTime } from '../../../platform/validation/date-time';
import { MAX_JOIN_URL_LENGTH } from '../model/conversation.entity';
import { grantOf } from '../model/call-credential';
import { PARTIES, PARTY, REASON, RUNTIME_DISCONNECT_REASONS } from '../model/call-states';
import type { ClaimScope } from '../model/claim-scope';
import { isRehearsalId } from '../model/rehearsal-id';
import { CallsRepository, type ClaimRefusal, type ReportedFailure } from '../lifecycle/calls.repository';
import { RuntimeCommands } from '../lifecycle/runtime-commands';

const REFUSALS: Record<ClaimRefusal, string> = {
  unknown: 'there is no such call',
  claimed: 'it was claimed already',
  ended: 'it was cancelled or has ended',
  expired: 'it has expired',
  suspended: 'its workspace is suspended',
  campaign_stopped: 'its campaign is paused or was cancelled',
  do_not_call: 'its number is on the do-not-call list, so it was cancelled',
};

type ClaimAnswer = Promise<{ type: string; body: Claimed | ClaimRefused }>;

/** The receiver of the messages of runtimes about rehearsals, which are no calls of people. */
export interface RehearsedCalls {
  claim(claim: ClaimDto, scope: ClaimScope): ClaimAnswer;
  /** @param url at which the runtime waits for a person */
  joinable(event: CallOfToken, url: string): Promise<void>;
  heartbeat(event: CallEventDto): Promise<void>;
  ended(event: CallEndedDto): Promise<void>;
  failed(event: CallFailedDto): Promise<void>;
}

export interface CallOfToken {
  id: string;
  token: string;
}

/** Applies the claims and events of runtimes to their calls. */
@Injectable()
export class CallEventsService {
  private readonly logger = new Logger(CallEventsService.name);
  private rehearsals?: RehearsedCalls;

  constructor(
    private readonly calls: CallsRepository,
    private readonly commands: RuntimeCommands,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Registers the feature that has them. This feature must not import it. */
  setRehearsals(rehearsals: RehearsedCalls): void {
    this.rehearsals = rehearsals;
  }

  async claim(claim: ClaimDto, scope: ClaimScope): ClaimAnswer {
    const { conversation_id, claim_id, worker_id } = claim;
    if (this.rehearsals && isRehearsalId(conversation_id)) return this.rehearsals.claim(claim, scope);
    const decided = await this.calls.claim({
      id: conversation_id.toLowerCase(),
      claimId: claim_id,
      workerId: worker_id,
      token: randomUUID(),
      scope,
    });
    if ('refusal' in decided) {
      const reason = `The call cannot be claimed: ${REFUSALS[decided.refusal]}.`;
      return { type: MESSAGE_TYPES.claimRefused, body: { conversation_id, reason } };
    }
    return {
      type: MESSAGE_TYPES.claimed,
      body: {
        conversation_id,
        ...grantOf({ id: conversation_id.toLowerCase(), ...decided }, this.config),
      },
    };
  }

  /** The address has a secret in it, so no log contains it. */
  async joinable({ conversation_id, token, listen, ...join }: CallJoinableDto): Promise<void> {
    const call = { id: conversation_id.toLowerCase(), token };
    // A runtime that only lets users listen sends no other address.
    if (listen === undefined || join.url !== undefined) await this.setJoin(call, join);
    if (listen !== undefined) await this.setListening(call, listen);
  }

  private async setJoin(call: CallOfToken, given: unknown): Promise<void> {
    const address = readAddress(given);
    if (typeof address === 'string') return this.ignoreAddress(call, 'joined', address);
    if (this.rehearsals && isRehearsalId(call.id)) return this.rehearsals.joinable(call, address.url);
    if (await this.calls.setJoin({ ...call, ...address })) return;
    const reason =
      'the call is no web call, is connected or over, has another token, or the address expires more than an hour ahead';
    this.ignoreAddress(call, 'joined', reason);
  }

  private async setListening(call: CallOfToken, given: unknown): Promise<void> {
    const address = readAddress(given);
    if (typeof address === 'string') return this.ignoreAddress(call, 'heard', address);
    if (await this.calls.setListening({ ...call, ...address })) return;
    const reason = 'the call is over, has another token, or the address expires more than a day ahead';
    this.ignoreAddress(call, 'heard', reason);
  }

  private ignoreAddress({ id }: CallOfToken, use: 'joined' | 'heard', reason: string): void {
    this.logger.warn({ conversationId: id, reason }, `Ignored an address at which a call can be ${use}`);
  }

  connected({ conversation_id, token, occurred_at }: CallEventDto): Promise<void> {
    return this.calls.connect({ id: conversation_id.toLowerCase(), token, occurredAt: occurred_at });
  }

  /** A requested hang-up is sent again: the runtime that still holds the call may not have received it. */
  async heartbeat(event: CallEventDto): Promise<void> {
    const { conversation_id, token } = event;
    if (this.rehearsals && isRehearsalId(conversation_id)) return this.rehearsals.heartbeat(event);
    const call = await this.calls.heartbeat({ id: conversation_id.toLowerCase(), token });
    if (call?.hangupRequestedAt) await this.commands.hangUp(call.workerId, conversation_id);
  }

  ended(event: CallEndedDto): Promise<void> {
    if (this.rehearsals && isRehearsalId(event.conversation_id)) return this.rehearsals.ended(event);
    return this.calls.end({
      ...this.toReport(event),
      connectedAt: event.connected_at,
      endedAt: event.occurred_at,
      summary: event.summary,
      processCompliance: event.process_compliance,
      outcome: event.outcome,
      transcriptTurns: event.transcript_turns,
    });
  }

  failed(event: CallFailedDto): Promise<void> {
    if (this.rehearsals && isRehearsalId(event.conversation_id)) return this.rehearsals.failed(event);
    return this.calls.fail(this.toReport(event));
  }

  /** An unknown reason or party is replaced: a refused report would leave the call to be considered lost. */
  private toReport({
    conversation_id,
    token,
    disconnect_reason,
    disconnected_by,
  }: CallEndedDto | CallFailedDto): ReportedFailure {
    const reason = RUNTIME_DISCONNECT_REASONS.find((known) => known === disconnect_reason);
    const party = PARTIES.find((known) => known === disconnected_by);
    if (!reason || !party) {
      this.logger.warn(
        {
          conversationId: conversation_id,
          disconnectReason: toLoggedWord(disconnect_reason),
          disconnectedBy: toLoggedWord(disconnected_by),
        },
        "A runtime reported an unknown disconnect_reason or disconnected_by; 'error' or 'system' is stored instead",
      );
    }
    return {
      id: conversation_id.toLowerCase(),
      token,
      reason: reason ?? REASON.error,
      party: party ?? PARTY.system,
    };
  }
}

/** The address that a runtime reports, with its end; a text: why it is not valid. */
function readAddress(given: unknown): { url: string; expiresAt: Date } | string {
  const { url, expires_at } = (given ?? {}) as { url?: unknown; expires_at?: unknown };
  const expiresAt = typeof expires_at === 'string' ? parseDateTime(expires_at) : undefined;
  if (!expiresAt) return 'its expires_at is not valid';
  return isJoinUrl(url) ? { url, expiresAt } : 'its url is not valid';
}

/** Whether a value is an absolute address of a WebSocket or of HTTP, which a client can open. */
function isJoinUrl(url: unknown): url is string {
  if (typeof url !== 'string' || url.length > MAX_JOIN_URL_LENGTH || !isStorableText(url)) return false;
  return !/\s/.test(url) && /^(ws|wss|http|https):\/\//i.test(url) && URL.canParse(url);
}

/** A runtime may write anything there, such as the number of a person. */
const toLoggedWord = (value: unknown): string =>
  typeof value === 'string' && /^[a-z_]{1,40}$/.test(value) ? value : 'no word of small letters';
