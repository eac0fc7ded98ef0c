import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { paginate } from '../../platform/http/pagination';
import { canonicalNumber, E164 } from '../../platform/validation/phone-number';
import { QuotasService } from '../../accounts/workspaces/quotas.service';
import type { AddDoNotCallDto, ImportDoNotCallDto, ListDoNotCallQuery } from './do-not-call.dto';
import { claimsUndecided, entryNotFound, expiryInPast } from './do-not-call.errors';
import { presentEntry, presentImport } from './do-not-call.presenter';
import { DoNotCallRepository } from './do-not-call.repository';
import { NumbersImport } from './numbers-import';

const isPast = (time: Date) => time.getTime() <= Date.now();

@Injectable()
export class DoNotCallService {
  constructor(
    private readonly entries: DoNotCallRepository,
    private readonly database: Database,
    private readonly quotas: QuotasService,
    private readonly imports: NumbersImport,
  ) {}

  async list(workspaceId: string, query: ListDoNotCallQuery) {
    const { rows, total } = await this.entries.list(workspaceId, query);
    return paginate(rows.map(presentEntry), query, total);
  }

  /**
   * Lists a number. A repetition of an entry changes nothing, also on a full list.
   * @throws 403 if the list is full, 503 if a call to the number may still be placed
   */
  async add(workspaceId: string, { phone_number, reason, expires_at }: AddDoNotCallDto) {
    if (expires_at && isPast(expires_at)) throw expiryInPast();
    const entry = {
      phoneNumber: phone_number,
      reason: reason?.trim() || null,
      expiresAt: expires_at ?? null,
    };
    const added = await this.database.transaction(async (transaction) => {
      // The second of two equal entries must find the first.
      await this.quotas.lock(workspaceId, 'do_not_call_entries', transaction);
      const same = await this.entries.findSame(workspaceId, entry, transaction);
      if (same) {
        transaction.change = null;
        return same;
      }
      await this.quotas.assertWithinQuota(workspaceId, 'do_not_call_entries', transaction);
      return this.entries.add(workspaceId, entry, transaction);
    });
    if (!(await this.entries.waitForClaims(workspaceId, [phone_number]))) throw claimsUndecided();
    return presentEntry(added);
  }

  /**
   * Lists the numbers of a file. A row with an error is left out, or refuses the file.
   * @throws 422 with the rows that have errors, 403 if the list would be too long, 503 if other files take too long, or if a
   *   call to one of the numbers may still be placed
   */
  async import(workspaceId: string, { file, invalidRows }: ImportDoNotCallDto, abortSignal: AbortSignal) {
    const options = { path: file.path, leavesOut: invalidRows === 'skip' };
    const imported = await this.imports.store(workspaceId, options, abortSignal);
    if (!(await this.entries.waitForClaims(workspaceId, imported.numbers))) throw claimsUndecided();
    return presentImport(imported);
  }

  /**
   * Removes a number, and the same one as an earlier release stored it.
   * @throws 404 if the number is not on the list
   */
  async remove(workspaceId: string, phoneNumber: string): Promise<void> {
    if (!E164.test(phoneNumber)) throw entryNotFound();
    const numbers = [phoneNumber, canonicalNumber(phoneNumber) ?? phoneNumber];
    await this.database.transaction(async (transaction) => {
      if (!(await this.entries.remove(workspaceId, numbers, transaction))) throw entryNotFound();
    });
  }
}
