import { Injectable } from '@nestjs/common';
import {
  CallRollupsRepository,
  type DurationDifference,
  type RollupDifference,
  type SegmentDifference,
} from './call-rollups.repository';

const DAY_MS = 86_400_000;

type Difference = RollupDifference | SegmentDifference | DurationDifference;

interface Options {
  /** The workspace. Default: all workspaces. */
  workspaceId?: string;
  /** Whether no other step may begin. */
  isStopping?: () => boolean;
}

/** Keeps the rollups of ended calls: every process may do so at any time, and each step is complete in itself. */
@Injectable()
export class CallRollupsService {
  /**
   * Whether this process has looked at all workspaces. An earlier process may have stopped in the middle of one.
   */
  private hasSeenAll = false;

  constructor(private readonly rollups: CallRollupsRepository) {}

  /**
   * Rolls up what can be rolled up, in rounds of one step for each workspace that has calls to roll up.
   * @throws AggregateError, after it has done so for the other workspaces
   */
  async rollUp({ workspaceId, isStopping = () => false }: Options = {}): Promise<void> {
    await this.rollups.addStates();
    const horizon = await this.rollups.findHorizon();
    if (!horizon) return;
    const errors: unknown[] = [];
    let workspaces = workspaceId ? [workspaceId] : await this.findWorkspaces(horizon);
    while (workspaces.length > 0) {
      const unfinished: string[] = [];
      for (const workspace of workspaces) {
        if (isStopping()) return;
        try {
          const steps = [
            await this.rollups.rollUp(workspace, horizon),
            await this.rollups.addSegments(workspace),
          ];
          if (steps.includes(true)) unfinished.push(workspace);
        } catch (error) {
          errors.push(error);
        }
      }
      workspaces = unfinished;
    }
    if (errors.length > 0)
      throw new AggregateError(errors, 'The calls of some workspaces were not rolled up');
  }

  private async findWorkspaces(horizon: Date): Promise<string[]> {
    if (this.hasSeenAll) return this.rollups.findWorkspaces(horizon);
    const all = await this.rollups.findAllWorkspaces();
    this.hasSeenAll = true;
    return all;
  }

  async workspaces(): Promise<string[]> {
    await this.rollups.addStates();
    return this.rollups.findAllWorkspaces();
  }

  /** Compares the rollups and the segments with the calls. */
  async check(workspaceId: string): Promise<Difference[]> {
    const differences: Difference[] = [];
    for await (const day of this.listDays(workspaceId)) {
      differences.push(...(await this.rollups.checkDay({ workspaceId, day })));
      differences.push(...(await this.rollups.checkSegments({ workspaceId, day })));
      differences.push(...(await this.rollups.checkDurations({ workspaceId, day })));
    }
    return differences;
  }

  /** Counts the calls again, and rolls up the rest. @returns how many buckets were wrong */
  async rebuild(workspaceId: string): Promise<number> {
    let corrected = 0;
    for await (const day of this.listDays(workspaceId)) {
      corrected += await this.repeat(() => this.rollups.rebuildDay({ workspaceId, day }));
      corrected += await this.repeat(() => this.rollups.rebuildSegments({ workspaceId, day }));
      corrected += await this.repeat(() => this.rollups.rebuildDurations({ workspaceId, day }));
    }
    await this.rollUp({ workspaceId });
    return corrected;
  }

  private async repeat(rebuild: () => ReturnType<CallRollupsRepository['rebuildDay']>): Promise<number> {
    for (;;) {
      const outcome = await rebuild();
      if (!outcome || outcome.isDone) return outcome?.differences ?? 0;
    }
  }

  /** Returns the UTC days, oldest first. */
  private async *listDays(workspaceId: string): AsyncGenerator<Date> {
    await this.rollups.addStates();
    const days = await this.rollups.findDays(workspaceId);
    if (!days) return;
    for (let time = days.first.getTime(); time <= days.last.getTime(); time += DAY_MS) yield new Date(time);
  }
}
