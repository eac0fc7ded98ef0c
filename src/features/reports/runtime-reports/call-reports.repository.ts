import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../../../platform/database/database';
import { type JsonRows, jsonRows, type Statement } from '../../../platform/database/statement';
import { StatementBatcher } from '../../../platform/database/statement-batcher';
import {
  ADD_TURNS,
  ADD_WARNINGS,
  LOCK_TRANSCRIPTS,
  type NewAnalysis,
  type NewRecording,
  type NewTurn,
  type NewTurns,
  type NewWarning,
  ReportStatements,
} from './call-reports.sql';

export type { NewTurn };

/** The length of the turns of one transaction, in characters. */
const MAX_TRANSACTION_LENGTH = 256 * 1024;

/** The reports of one call are stored one after the other, in the order of their arrival. */
const ONE_OF_A_CALL = { maxItemsOfKey: 1 };

/** Stores what runtimes report about their calls. Methods return false if the token is wrong or it is too late. */
@Injectable()
export class CallReportsRepository {
  private readonly turns = new StatementBatcher((calls: NewTurns[]) => this.addAllTurns(calls), {
    ...ONE_OF_A_CALL,
    maxWeight: MAX_TRANSACTION_LENGTH,
  });
  private readonly recordings = new StatementBatcher(
    (calls: NewRecording[]) => this.store(this.statements.setRecordings, calls),
    ONE_OF_A_CALL,
  );
  private readonly analyses = new StatementBatcher(
    (calls: NewAnalysis[]) => this.store(this.statements.setAnalyses, calls),
    ONE_OF_A_CALL,
  );

  private readonly warnings = new StatementBatcher(
    (calls: NewWarning[]) => this.store(ADD_WARNINGS, calls),
    ONE_OF_A_CALL,
  );

  constructor(
    private readonly database: Database,
    private readonly statements: ReportStatements,
  ) {}

  addTurns(turns: NewTurns): Promise<boolean> {
    const length = turns.turns.reduce((sum, { text }) => sum + text.length, 0);
    return this.turns.add(turns.id, turns, length);
  }

  setRecording(recording: NewRecording): Promise<boolean> {
    return this.recordings.add(recording.id, recording);
  }

  setAnalysis(analysis: NewAnalysis): Promise<boolean> {
    return this.analyses.add(analysis.id, analysis);
  }

  /**
   * Adds a warning. It also returns true for a warning that is left out: it is stored already, or the call has too
   * many.
   */
  addWarning(warning: NewWarning): Promise<boolean> {
    return this.warnings.add(warning.id, warning);
  }

  private addAllTurns(calls: NewTurns[]): Promise<boolean[]> {
    return this.database.transaction(async (transaction) => {
      const transcripts = calls.map(({ id, token, truncated }) => ({ id, token, truncated }));
      const locked = await this.store(LOCK_TRANSCRIPTS, transcripts, transaction);
      const taken = calls.filter((_, index) => locked[index]).map(({ id, turns }) => ({ id, turns }));
      if (taken.length > 0) await transaction.query(ADD_TURNS, { calls: jsonRows(taken) });
      return locked;
    });
  }

  /** @returns for each call whether the statement returned it */
  private async store<Call extends { id: string }>(
    statement: Statement<{ calls: JsonRows<Call> }, { id: string }>,
    calls: Call[],
    queryable: Queryable = this.database,
  ): Promise<boolean[]> {
    const rows = await queryable.query(statement, { calls: jsonRows(calls) });
    const ids = new Set(rows.map(({ id }) => id));
    return calls.map(({ id }) => ids.has(id));
  }
}
