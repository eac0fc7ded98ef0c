import { Injectable } from '@nestjs/common';
import { listVariables } from '@parley/worker';
import { Database } from '../../../platform/database/database';
import { jsonRows } from '../../../platform/database/statement';
import { toCallRequest } from '../../calls/model/call-request';
import { findValues, toAnswers, toCompliance } from './find-values';
import {
  type DueCall,
  FOUND_CALLS,
  type NewFindings,
  READ_FACTS_OF_CALLS,
  STORE_FINDINGS,
  TAKE_DUE_FINDINGS,
} from './find-values.sql';

export { FOUND_CALLS };

/** Keeps what calls yielded; see decision 57. */
@Injectable()
export class FindingsRepository {
  constructor(private readonly database: Database) {}

  /** Computes the findings of the next calls in the queue. @returns the number of calls */
  findNext(): Promise<number> {
    return this.database.transaction(async (transaction) => {
      const ids = (await transaction.query(TAKE_DUE_FINDINGS, {})).map(({ id }) => id);
      if (ids.length === 0) return 0;
      const calls: NewFindings[] = [];
      for (const call of await transaction.query(READ_FACTS_OF_CALLS, { ids })) calls.push(await find(call));
      if (calls.length > 0) await transaction.query(STORE_FINDINGS, { calls: jsonRows(calls) });
      return ids.length;
    });
  }
}

async function find({ id, analysis, request, ...facts }: DueCall): Promise<NewFindings> {
  const variables = listVariables(toCallRequest(request));
  const findings = await findValues(analysis, { ...facts, variables });
  return { id, ...findings, answers: toAnswers(findings), compliance: toCompliance(findings) };
}
