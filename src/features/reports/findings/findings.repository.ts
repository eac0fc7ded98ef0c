import { Injectable } from '@nestjs/common';
import { listVariables } from '@parley/worker';
import { Database } from '../../../platform/database/database';
import { jsonRows } from '../../../platform/database/statement';
import { toCallRequest } from '../../calls/model/call-request';
import { findValues, toAnswers, toCompliance } from './find-values';
import {
  type DueCall,
  FOUND_CALLS,
  type FoundCall,
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
  async findNext(): Promise<number> {
    const due = await this.database.query(TAKE_DUE_FINDINGS, {});
    if (due.length === 0) return 0;
    const facts = await this.database.query(READ_FACTS_OF_CALLS, { ids: due.map(({ id }) => id) });
    const byId = new Map(facts.map((call) => [call.id, call]));
    const calls: FoundCall[] = [];
    for (const { id, dueAt } of due) {
      const call = byId.get(id);
      calls.push({ id, dueAt, ...(call && (await find(call))) });
    }
    await this.database.query(STORE_FINDINGS, { calls: jsonRows(calls) });
    return due.length;
  }
}

async function find({ analysis, request, ...facts }: DueCall): Promise<NewFindings> {
  const variables = listVariables(toCallRequest(request));
  const findings = await findValues(analysis, { ...facts, variables });
  return { ...findings, answers: toAnswers(findings), compliance: toCompliance(findings) };
}
