import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../../platform/database/database';
import { jsonRows } from '../../../platform/database/statement';
import type { DayOfWorkspace } from '../../calls/counts/check-rollups.sql';
import { LOCK_ROLL_UP_STATE } from '../../calls/lifecycle/delete-calls.sql';
import { type Amounts, measureCall, subtractAmounts } from './call-amounts';
import type { MeasurementKey } from './call-measurement.entity';
import { CHECK_MEASUREMENTS, FIND_MEASURED_DAYS, type MeasurementDifference } from './check-measurements.sql';
import {
  ADD_MEASUREMENTS,
  ADD_TRANSCRIPT_EVENTS,
  DELETE_EMPTY_MEASUREMENTS,
  MEASURED_CALLS,
  type MeasurementChange,
  READ_CALLS_TO_MEASURE,
  STORE_MEASUREMENTS,
  TAKE_CALLS_TO_MEASURE,
} from './measure-calls.sql';

export { MEASURED_CALLS };

/** Keeps the latencies and the usage of calls, and their sums by time; see decision 52. */
@Injectable()
export class MeasurementsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Measures the next calls in the queue, or those of workspaces with an endpoint for webhooks, which hear of complete
   * transcripts. @returns their number
   */
  measureNext({ ofListened }: { ofListened: boolean }): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const ids = (await transaction.query(TAKE_CALLS_TO_MEASURE, { ofListened })).map(({ id }) => id);
      if (ids.length === 0) return 0;
      const reported = await transaction.query(READ_CALLS_TO_MEASURE, { ids });
      const measured = reported.map((call) => ({ ...toKey(call), id: call.id, amounts: measureCall(call) }));
      const listened = reported.filter(({ isListened }) => isListened).map(({ id }) => id);
      if (listened.length > 0) await transaction.query(ADD_TRANSCRIPT_EVENTS, { ids: listened });
      await transaction.query(STORE_MEASUREMENTS, { calls: jsonRows(measured) });
      const changes = measured.flatMap((call, index) =>
        toChanges(call, subtractAmounts(call.amounts, reported[index]?.before ?? {})),
      );
      await this.add(changes, transaction);
      return ids.length;
    });
  }

  /** The UTC days of a workspace that have calls or sums. */
  async findDays(workspaceId: string): Promise<Date[]> {
    return (await this.database.query(FIND_MEASURED_DAYS, { workspaceId })).map(({ day }) => day);
  }

  /** Compares the sums of a day with the calls. */
  checkDay(day: DayOfWorkspace): Promise<MeasurementDifference[]> {
    return this.database.query(CHECK_MEASUREMENTS, day);
  }

  /** Corrects the sums of a day. @returns how many were wrong */
  async rebuildDay(day: DayOfWorkspace): Promise<number> {
    if ((await this.checkDay(day)).length === 0) return 0;
    return this.database.transaction(async (transaction) => {
      // Another rebuild would add the same differences.
      await transaction.query(LOCK_ROLL_UP_STATE, day);
      const differences = await transaction.query(CHECK_MEASUREMENTS, day);
      const changes = differences.map(({ measure, stored, counted, ...key }) => ({
        ...toKey(key),
        measure,
        amount: Number(counted) - Number(stored),
      }));
      await this.add(changes, transaction);
      return changes.length;
    });
  }

  private async add(changes: MeasurementChange[], transaction: Transaction): Promise<void> {
    if (changes.length === 0) return;
    const empty = await transaction.query(ADD_MEASUREMENTS, { changes: jsonRows(changes) });
    if (empty.length > 0) await transaction.query(DELETE_EMPTY_MEASUREMENTS, { rows: jsonRows(empty) });
  }
}

const toKey = ({
  workspaceId,
  agentId,
  agentVersion,
  campaignId,
  startsAt,
}: MeasurementKey): MeasurementKey => ({
  workspaceId,
  agentId,
  agentVersion,
  campaignId,
  startsAt,
});

const toChanges = (call: MeasurementKey, amounts: Amounts): MeasurementChange[] =>
  Object.entries(amounts).map(([measure, amount]) => ({ ...toKey(call), measure, amount }));
