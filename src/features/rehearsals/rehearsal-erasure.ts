import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { RuntimeCommands } from '../calls/lifecycle/runtime-commands';
import { RehearsalsRepository } from './rehearsals.repository';
import { RehearsalPlaysRepository } from './runs/rehearsal-plays.repository';
import { RehearsalRunsRepository } from './runs/rehearsal-runs.repository';

/** Deletes what was made of the calls of a person. */
@Injectable()
export class RehearsalErasure {
  constructor(
    private readonly rehearsals: RehearsalsRepository,
    private readonly runs: RehearsalRunsRepository,
    private readonly plays: RehearsalPlaysRepository,
    private readonly commands: RuntimeCommands,
    private readonly database: Database,
  ) {}

  /** A run that is being started waits for the rehearsals or finds them gone, so its results are there or never come. */
  async erase(workspaceId: string, phoneNumber: string): Promise<void> {
    await this.rehearsals.deleteOfPerson(workspaceId, phoneNumber);
    for (let isMore = true; isMore;) {
      const playing = await this.database.transaction(async (transaction) => {
        const runIds = await this.runs.findOfPerson(workspaceId, phoneNumber, transaction);
        isMore = runIds.length > 0;
        await this.runs.lockForgotten(workspaceId, runIds, transaction);
        const played = await this.plays.cancel(workspaceId, runIds, transaction);
        await this.runs.deleteRuns(workspaceId, runIds, transaction);
        return played;
      });
      for (const { id, workerId } of playing) await this.commands.hangUp(workerId, id);
    }
  }
}
