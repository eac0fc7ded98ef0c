import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database';
import type { AllowedTransfer } from '../model/call-event.entity';
import { ALLOW_TRANSFER, type CallToTransfer, LOCK_CALL_TO_TRANSFER } from './transfers.sql';

@Injectable()
export class TransfersRepository {
  async lockCall(
    workspaceId: string,
    id: string,
    transaction: Transaction,
  ): Promise<CallToTransfer | undefined> {
    return (await transaction.query(LOCK_CALL_TO_TRANSFER, { workspaceId, id }))[0];
  }

  async allow(id: string, transfer: AllowedTransfer, transaction: Transaction): Promise<void> {
    await transaction.query(ALLOW_TRANSFER, { id, ...transfer });
  }
}
