import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config';
import { Database } from '../../../platform/database/database';
import type { Caller } from '../../../platform/http/access';
import type { ApiError } from '../../../platform/http/errors';
import { canonicalNumber } from '../../../platform/validation/phone-number';
import { numberListed } from '../../do-not-call/do-not-call.errors';
import {
  readTransferNumber,
  TransferNumbers,
  type TransferProblem,
} from '../../do-not-call/transfer-numbers';
import { CALL_TYPE, ENDED_STATUSES } from '../model/call-states';
import { callEnded, callNotFound, destinationNotAllowed, transferUnknown } from '../model/calls.errors';
import type { AllowedTransferDto } from './transfers.dto';
import { TransfersRepository } from './transfers.repository';

const ERRORS: Record<TransferProblem, () => ApiError> = {
  impossible: transferUnknown,
  destination: destinationNotAllowed,
  listed: numberListed,
};

/** Decides whether the runtime of a call may connect the person with another number. */
@Injectable()
export class TransfersService {
  constructor(
    private readonly transfers: TransfersRepository,
    private readonly numbers: TransferNumbers,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Stores that the transfer was allowed. It can be repeated.
   * @throws 400 if the number is none of the agent's, or must not be called now; 404, 409 if the call is over
   */
  async allow({ workspaceId }: Caller, callId: string, toNumber: string): Promise<AllowedTransferDto> {
    const id = callId.toLowerCase();
    const maximumSeconds = this.config.TRANSFER_MAX_MINUTES * 60;
    await this.database.transaction(async (transaction) => {
      const call = await this.transfers.lockCall(workspaceId, id, transaction);
      if (!call) throw callNotFound();
      if (ENDED_STATUSES.some((status) => status === call.status))
        throw callEnded(call.status, 'transferred');
      const known = call.actions.map((action) => canonicalNumber(readTransferNumber(action) ?? ''));
      if (call.callType === CALL_TYPE.webcall || !known.includes(toNumber)) throw transferUnknown();
      const problems = await this.numbers.findProblems(workspaceId, [toNumber], transaction);
      const problem = problems.get(toNumber);
      if (problem) throw ERRORS[problem]();
      await this.transfers.allow(id, { toNumber, maximumSeconds }, transaction);
    });
    return { to_number: toNumber, maximum_seconds: maximumSeconds };
  }
}
