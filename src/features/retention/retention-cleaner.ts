import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoops } from '../../platform/background/background-loops';
import { type KeptWorkspace, RetentionRepository, type Step, type Walked } from './retention.repository';
import { RetentionService } from './retention.service';

const PAUSE_MS = 5 * 60_000;

const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

/** A way through the calls of a workspace, from the oldest one to the first one that is not due. */
interface Walk {
  what: 'transcripts' | 'recordings' | 'calls';
  step: Step;
  advance: (step: Step) => Promise<Walked>;
  /** Stores the time before which everything is done. */
  save?: (until: string) => Promise<void>;
  /** The first call that is not due. */
  firstLeft: string | null;
  count: number;
}

/**
 * Removes what workspaces do not keep any longer, in small steps: one for each workspace in turn. A process that is
 * killed leaves complete steps, and the next run goes on where they ended.
 */
@Injectable()
export class RetentionCleaner implements OnApplicationBootstrap {
  private readonly logger = new Logger(RetentionCleaner.name);

  constructor(
    private readonly retention: RetentionRepository,
    private readonly service: RetentionService,
    private readonly loops: BackgroundLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start(
      () => this.clean(),
      PAUSE_MS,
      'Old calls could not be removed in some workspaces; the next attempt follows',
    );
  }

  /** @throws AggregateError, after it has cleaned the other workspaces */
  async clean(): Promise<void> {
    const workspaces = await this.retention.findWorkspaces();
    const errors: unknown[] = [];
    let walks = workspaces.flatMap((workspace) => this.createWalks(workspace));
    while (walks.length > 0) {
      const unfinished: Walk[] = [];
      for (const walk of walks) {
        if (this.loops.areStopping) return;
        try {
          if (await this.advance(walk)) unfinished.push(walk);
        } catch (error) {
          errors.push(error);
        }
      }
      walks = unfinished;
    }
    if (errors.length > 0) throw new AggregateError(errors, 'Some workspaces could not be cleaned');
  }

  /** @returns whether there may be more to do */
  private async advance(walk: Walk): Promise<boolean> {
    const { lastTime, lastId, firstLeft, count } = await walk.advance(walk.step);
    walk.count += count;
    if (lastTime === null || lastId === null) {
      const { what, step, count: removed } = walk;
      if (removed > 0)
        this.logger.log({ workspaceId: step.workspaceId, what, removed }, 'Retention was applied');
      return false;
    }
    walk.firstLeft ??= firstLeft;
    await walk.save?.(walk.firstLeft ?? lastTime);
    walk.step = { ...walk.step, afterTime: lastTime, afterId: lastId };
    return true;
  }

  private createWalks({ workspaceId, revision, ...kept }: KeptWorkspace): Walk[] {
    const walk = (
      what: Walk['what'],
      days: number | null,
      from: string,
      rest: Pick<Walk, 'advance' | 'save'>,
    ) =>
      days === null
        ? []
        : [
            {
              what,
              step: { workspaceId, days, afterTime: from, afterId: BEFORE_ALL_IDS },
              firstLeft: null,
              count: 0,
              ...rest,
            },
          ];
    return [
      ...walk('transcripts', kept.transcriptsDays, kept.transcriptsUntil, {
        advance: (step) => this.retention.clearTranscripts(step),
        save: (until) => this.retention.saveTranscriptsUntil(workspaceId, revision, until),
      }),
      ...walk('recordings', kept.recordingsDays, kept.recordingsUntil, {
        advance: (step) => this.retention.clearRecordings(step),
        save: (until) => this.retention.saveRecordingsUntil(workspaceId, revision, until),
      }),
      // A call that is deleted needs no mark: the next run finds the others.
      ...walk('calls', kept.callsDays, '-infinity', { advance: (step) => this.service.deleteCalls(step) }),
    ];
  }
}
