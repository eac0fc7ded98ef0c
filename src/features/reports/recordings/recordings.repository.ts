import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Database, type Transaction } from '../../../platform/database/database';
import type { CallId } from '../filter/call-filter';
import {
  ADD_UPLOAD,
  DELETE_FILE,
  FIND_RECORDING,
  FIND_REMOVABLE,
  HAS_RECORDING,
  KEEP_RECORDING,
  LOCK_RECORDED_CALL,
  type StoredRecording,
  type Upload,
} from './recordings.sql';

@Injectable()
export class RecordingsRepository {
  constructor(private readonly database: Database) {}

  async find(id: CallId): Promise<StoredRecording | undefined> {
    return isUUID(id.callId) ? (await this.database.query(FIND_RECORDING, id))[0] : undefined;
  }

  async has(callId: string, transaction?: Transaction): Promise<boolean> {
    return (await (transaction ?? this.database).query(HAS_RECORDING, { callId })).length > 0;
  }

  async addUpload(upload: Upload, transaction: Transaction): Promise<void> {
    await transaction.query(ADD_UPLOAD, upload);
  }

  /** @returns false if the call was erased or deleted */
  async lockCall(workspaceId: string, callId: string, transaction: Transaction): Promise<boolean> {
    return (await transaction.query(LOCK_RECORDED_CALL, { workspaceId, callId })).length > 0;
  }

  /** @returns false if the upload was considered failed */
  async keep(
    file: { key: string; callId: string; url: string; bytes: number },
    transaction: Transaction,
  ): Promise<boolean> {
    return (await transaction.query(KEEP_RECORDING, file)).length > 0;
  }

  async findRemovable(limit: number): Promise<string[]> {
    return (await this.database.query(FIND_REMOVABLE, { limit })).map(({ key }) => key);
  }

  async delete(key: string): Promise<void> {
    await this.database.query(DELETE_FILE, { key });
  }
}
