import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../../platform/database/database';
import { jsonRows } from '../../../platform/database/statement';
import type { RehearsalFacts } from '../../../platform/messaging/wire';
import type { CheckResult } from './grade';
import type { ReportedParts, ToolUse } from './joined-parts';
import {
  BEGIN_RUNS,
  END_RUN,
  END_UNAFFORDABLE_REHEARSALS,
  FIND_COMPLETE_RUNS,
  FIND_WORKSPACES_THAT_REHEARSE,
  LOCK_OPEN_RUNS,
  OFFER_REHEARSALS,
  type OfferedRehearsal,
  RELEASE_REHEARSALS,
} from './offer-rehearsals.sql';
import {
  ADD_REPORTED,
  ADD_TOOL_USE,
  CANCEL_REHEARSALS,
  CLAIM_REHEARSAL,
  type ClaimedRehearsal,
  type ClaimOfRehearsal,
  FIND_JOINED,
  FIND_PLAYED,
  FIND_PLAYED_CONFIGURATION,
  FIND_REPORTED,
  FIND_TOOL_USES,
  GIVE_UP_REHEARSAL,
  HEAR_OF_REHEARSAL,
  JOIN_REHEARSAL,
  type JoinedRehearsal,
  LOCK_TOOL_USES,
  NOTE_END,
  type PlayedRehearsal,
  PUT_BACK_REHEARSAL,
  QUEUE_JUDGEMENT,
  type RehearsedUses,
  SETTLE_REHEARSAL,
} from './play-rehearsals.sql';
import { KEEP_COUNTS } from './rehearsal-runs.sql';

export type { OfferedRehearsal, PlayedRehearsal, RehearsedUses };

export interface PlayLimits {
  leaseSeconds: number;
  tokensPerDay: number;
  concurrency: number;
}

export interface Advanced {
  /** They are to be published. */
  offered: OfferedRehearsal[];
  /** The runs that are to be ended. */
  complete: string[];
}

/** A call that a runtime plays. */
export interface HeldRehearsal {
  id: string;
  token: string;
}

export interface Outcome {
  status: 'passed' | 'failed' | 'error';
  facts: RehearsalFacts;
  checks: CheckResult[] | null;
  error: string | null;
  /** The tokens since the last report. */
  tokens: number;
}

/** The way of each call through the runtimes. */
@Injectable()
export class RehearsalPlaysRepository {
  constructor(private readonly database: Database) {}

  async findWorkspaces(): Promise<string[]> {
    const rows = await this.database.query(FIND_WORKSPACES_THAT_REHEARSE, {});
    return rows.map(({ workspaceId }) => workspaceId);
  }

  /** Ends what cannot be played, and offers what may be played next. */
  advance(workspaceId: string, limits: PlayLimits): Promise<Advanced> {
    return this.database.transaction(async (transaction) => {
      const open = await transaction.query(LOCK_OPEN_RUNS, { workspaceId });
      if (open.length === 0) return { offered: [], complete: [] };
      await transaction.query(RELEASE_REHEARSALS, { workspaceId, leaseSeconds: limits.leaseSeconds });
      await transaction.query(END_UNAFFORDABLE_REHEARSALS, {
        workspaceId,
        tokensPerDay: limits.tokensPerDay,
      });
      const offered = await transaction.query(OFFER_REHEARSALS, {
        workspaceId,
        concurrency: limits.concurrency,
      });
      await transaction.query(BEGIN_RUNS, { workspaceId });
      const complete = await transaction.query(FIND_COMPLETE_RUNS, { workspaceId });
      return { offered, complete: complete.map(({ id }) => id) };
    });
  }

  async endRun(workspaceId: string, id: string, reportSha256: string): Promise<void> {
    await this.database.query(END_RUN, { workspaceId, id, reportSha256 });
  }

  async claim(claim: ClaimOfRehearsal): Promise<ClaimedRehearsal | undefined> {
    const [claimed] = await this.database.query(CLAIM_REHEARSAL, claim);
    return claimed;
  }

  /** @returns the runtime if it must stop */
  async hear(held: HeldRehearsal): Promise<string | undefined> {
    const [stopped] = await this.database.query(HEAR_OF_REHEARSAL, held);
    return stopped?.workerId ?? undefined;
  }

  /** Lets what a runtime could not play be offered once more. @param error of the second time @returns its workspace */
  async giveUp(held: HeldRehearsal, error: string): Promise<string | undefined> {
    const [given] = await this.database.query(GIVE_UP_REHEARSAL, { ...held, error });
    return given?.workspaceId;
  }

  /** Leaves what a runtime has no place for to any runtime, in the time of its offer. */
  async putBack(held: HeldRehearsal): Promise<void> {
    await this.database.query(PUT_BACK_REHEARSAL, held);
  }

  async noteEnd(held: HeldRehearsal): Promise<void> {
    await this.database.query(NOTE_END, held);
  }

  /** Takes the address of a runtime. @returns undefined if it is not to be joined */
  async join(held: HeldRehearsal) {
    const [joined] = await this.database.query(JOIN_REHEARSAL, held);
    return joined;
  }

  /** @returns those that go on */
  findJoined(ids: string[]): Promise<JoinedRehearsal[]> {
    return this.database.query(FIND_JOINED, { ids });
  }

  async addReported(held: HeldRehearsal, parts: ReportedParts): Promise<void> {
    await this.database.query(ADD_REPORTED, { ...held, parts: JSON.stringify(parts) });
  }

  async findReported(held: HeldRehearsal) {
    const [found] = await this.database.query(FIND_REPORTED, held);
    return found;
  }

  /** @param use chooses what is added, if anything is @returns undefined if the server answers no tools of it */
  useTool(
    workspaceId: string,
    id: string,
    use: (known: RehearsedUses) => { use: ToolUse; isNew: boolean },
  ): Promise<{ use: ToolUse; isNew: boolean } | undefined> {
    return this.database.transaction(async (transaction) => {
      const [known] = await transaction.query(LOCK_TOOL_USES, { workspaceId, id });
      if (!known) return undefined;
      const used = use(known);
      if (used.isNew) {
        await transaction.query(ADD_TOOL_USE, { workspaceId, id, use: JSON.stringify([used.use]) });
      }
      return used;
    });
  }

  async findConfiguration(workspaceId: string, id: string) {
    const [found] = await this.database.query(FIND_PLAYED_CONFIGURATION, { workspaceId, id });
    return found;
  }

  async findToolUse(workspaceId: string, id: string, useId: string): Promise<ToolUse | undefined> {
    const [found] = await this.database.query(FIND_TOOL_USES, { workspaceId, id });
    return found?.uses.find((use) => use.id === useId);
  }

  async findPlayed(held: HeldRehearsal): Promise<PlayedRehearsal | undefined> {
    const [played] = await this.database.query(FIND_PLAYED, held);
    return played;
  }

  async settle(held: HeldRehearsal, { facts, checks, ...outcome }: Outcome): Promise<void> {
    await this.database.query(SETTLE_REHEARSAL, {
      ...held,
      ...outcome,
      facts: JSON.stringify(facts),
      checks: checks && jsonRows(checks),
    });
  }

  async queueJudgement(held: HeldRehearsal, facts: RehearsalFacts, checks: CheckResult[]): Promise<void> {
    await this.database.query(QUEUE_JUDGEMENT, {
      ...{ ...held, facts: JSON.stringify(facts), checks: jsonRows(checks) },
      tokens: facts.figures.tokens,
    });
  }

  /** @returns the calls that a runtime plays, with that runtime */
  async cancel(workspaceId: string, runIds: string[], transaction: Transaction) {
    const cancelled = await transaction.query(CANCEL_REHEARSALS, { workspaceId, runIds });
    await transaction.query(KEEP_COUNTS, { workspaceId, runIds });
    return cancelled.flatMap(({ id, workerId }) => (workerId === null ? [] : [{ id, workerId }]));
  }
}
