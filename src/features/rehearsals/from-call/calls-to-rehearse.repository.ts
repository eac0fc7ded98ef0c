import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database';
import { READ_TURNS } from '../../reports/call-records/transcripts.sql';
import type { CallToRehearse, AskedTool, SaidTurn } from './call-to-rehearsal';
import { LIST_ASKED_TOOLS, LOCK_CALL_TO_REHEARSE } from './calls-to-rehearse.sql';

/** The turns that are read of a call: more than a rehearsal has. */
const MAX_TURNS = 300;

/** Reads calls of which rehearsals are made. */
@Injectable()
export class CallsToRehearseRepository {
  /** Keeps the call from being erased until the transaction ends. @returns undefined: the agent has no such call */
  async lock(
    workspaceId: string,
    agentId: string,
    callId: string,
    transaction: Transaction,
  ): Promise<CallToRehearse | undefined> {
    const [call] = await transaction.query(LOCK_CALL_TO_REHEARSE, { workspaceId, agentId, callId });
    return call;
  }

  /** The first turns of a call. */
  async readTurns(callId: string, transaction: Transaction): Promise<SaidTurn[]> {
    const turns: SaidTurn[] = [];
    for (let after: number | null = null; turns.length < MAX_TURNS;) {
      const read: (SaidTurn & { sequence: number })[] = await transaction.query(READ_TURNS, {
        callId,
        after,
      });
      const last = read.at(-1);
      if (!last) break;
      turns.push(...read);
      after = last.sequence;
    }
    return turns;
  }

  readTools(workspaceId: string, callId: string, transaction: Transaction): Promise<AskedTool[]> {
    return transaction.query(LIST_ASKED_TOOLS, { workspaceId, callId });
  }
}
