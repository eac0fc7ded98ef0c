import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoops } from '../../platform/background/background-loops';
import { RecipientErasure } from '../campaigns/running/recipient-erasure';
import { NotesRepository } from '../notes/notes.repository';
import { RehearsalErasure } from '../rehearsals/rehearsal-erasure';
import { CONFIG, type Config } from '../../config';
import { Database } from '../../platform/database/database';
import { CallsOfPersonRepository } from './calls-of-person.repository';
import { ErasuresRepository, type OpenErasure } from './erasures.repository';

const PAUSE_MS = 500;

const HOUR_MS = 3_600_000;

/** The number of batches of calls that one erasure gets before it is the turn of the other workspaces. */
const BATCHES = 5;

const OLD_BATCH = 1_000;

/**
 * Erases persons, one pass after the other, until a pass finds nothing that is left. Every batch is complete in itself
 * and finds its work by the number, so a killed process leaves nothing to clean up.
 */
@Injectable()
export class ErasureRunner implements OnApplicationBootstrap {
  private readonly logger = new Logger(ErasureRunner.name);

  constructor(
    private readonly erasures: ErasuresRepository,
    private readonly calls: CallsOfPersonRepository,
    private readonly recipients: RecipientErasure,
    private readonly notes: NotesRepository,
    private readonly rehearsals: RehearsalErasure,
    private readonly database: Database,
    private readonly loops: BackgroundLoops,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start(
      () => this.run(),
      PAUSE_MS,
      'The erasures could not be continued; the next attempt follows',
    );
    this.loops.start(() => this.deleteOld(), HOUR_MS, 'Old erasures could not be deleted');
  }

  /**
   * Runs the erasures that are due. One that fails does not prevent the others, and is due again when its lease
   * ends.
   */
  private async run(): Promise<void> {
    for (let due = await this.erasures.findDue(); due.length > 0; due = await this.erasures.findDue()) {
      for (const id of due) {
        if (this.loops.areStopping) return;
        const erasure = await this.erasures.claim(id);
        if (!erasure) continue;
        await this.pass(erasure).catch((error: unknown) =>
          this.logger.error({ err: error, erasureId: id }, 'An erasure failed; the next attempt follows'),
        );
      }
    }
  }

  private async pass(erasure: OpenErasure): Promise<void> {
    const { id, workspaceId, phoneNumber } = erasure;
    // The recipients come first, so that no campaign starts a further call.
    const hasMoreRecipients = await this.eraseRecipients(erasure);
    await this.notes.erase(workspaceId, phoneNumber);
    await this.calls.cancelQueued(erasure);
    const hasMoreCalls = await this.eraseCalls(erasure);
    // They come after the calls, of which no rehearsal is made any more.
    await this.rehearsals.erase(workspaceId, phoneNumber);
    // The tokens come last: the calls whose tokens are revoked now are erased by the next pass.
    const hasRevoked = await this.calls.revokeTokens(erasure);
    const keptDoNotCall = await this.calls.keepDoNotCall(erasure);
    const { underWay, hasEnded } = await this.calls.countLeft(erasure);
    const isLeft =
      underWay > 0 ||
      hasEnded ||
      (await this.recipients.hasRecipient(workspaceId, phoneNumber)) ||
      (await this.calls.hasIdempotencyKeys(erasure));
    if (isLeft) {
      const reason = hasMoreRecipients || hasMoreCalls ? 'more' : hasRevoked ? 'revoked' : 'waiting';
      return this.erasures.postpone(id, { reason, callsUnderWay: underWay });
    }
    const erased = await this.erasures.complete(erasure, keptDoNotCall);
    if (erased) this.logger.log({ erasureId: id, ...erased }, 'An erasure is complete');
    else await this.erasures.postpone(id, { reason: 'more', callsUnderWay: 0 });
  }

  /** @returns whether there may be more to do at once */
  private async eraseRecipients({ id, workspaceId, phoneNumber }: OpenErasure): Promise<boolean> {
    const campaigns = await this.recipients.findCampaigns(workspaceId, phoneNumber);
    for (const campaignId of campaigns) {
      if (this.loops.areStopping) return true;
      const isErased = await this.recipients.erase(workspaceId, campaignId, phoneNumber);
      if (isErased) await this.erasures.countErased(id, { recipients: 1 });
    }
    return campaigns.length > 0;
  }

  /** @returns whether there may be more to do at once */
  private async eraseCalls(erasure: OpenErasure): Promise<boolean> {
    for (let batch = 0; batch < BATCHES && !this.loops.areStopping; batch += 1) {
      const calls = await this.database.transaction(async (transaction) => {
        const erased = await this.calls.erase(erasure, transaction);
        if (erased > 0) await this.erasures.countErased(erasure.id, { calls: erased }, transaction);
        return erased;
      });
      if (calls === 0) return false;
    }
    return true;
  }

  private deleteOld(): Promise<void> {
    const { AUDIT_RETENTION_DAYS: days } = this.config;
    return this.loops.inBatches(OLD_BATCH, () => this.erasures.deleteOld(days, OLD_BATCH));
  }
}
