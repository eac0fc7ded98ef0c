import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import type { Transaction } from '../../../platform/database/database';
import { callNotFound } from '../../calls/model/calls.errors';
import { findRehearsalProblems } from '../rehearsal-rules';
import { callNotRehearsable } from '../rehearsals.errors';
import { type MadeRehearsal, toRehearsal } from './call-to-rehearsal';
import { CallsToRehearseRepository } from './calls-to-rehearse.repository';

/** Makes rehearsals of calls that have ended. */
@Injectable()
export class CallsToRehearse {
  constructor(private readonly calls: CallsToRehearseRepository) {}

  /**
   * Reads a call as a rehearsal. The call cannot be erased until the transaction ends.
   * @throws 404, 409
   */
  async read(
    workspaceId: string,
    agentId: string,
    callId: string,
    transaction: Transaction,
  ): Promise<MadeRehearsal> {
    const call = isUUID(callId)
      ? await this.calls.lock(workspaceId, agentId, callId, transaction)
      : undefined;
    if (!call) throw callNotFound();
    if (call.disconnectReason === null) throw callNotRehearsable('The call goes on.');
    const turns = await this.calls.readTurns(callId, transaction);
    const made = toRehearsal(call, turns, await this.calls.readTools(workspaceId, callId, transaction));
    if (!made) throw callNotRehearsable('The person said nothing in it.');
    const [problem] = findRehearsalProblems(made.definition, 'rehearsal');
    if (problem) throw callNotRehearsable(`Its rehearsal would not be valid: ${problem.message}.`);
    return made;
  }
}
