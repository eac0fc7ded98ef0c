import { presentLeftOut } from '../../platform/csv/left-out-rows.dto';
import type { DoNotCallEntryDto, ImportedDoNotCallDto } from './do-not-call.dto';
import type { ListedNumber } from './do-not-call.repository';
import type { ImportedNumbers } from './numbers-import';

export const presentEntry = (entry: ListedNumber): DoNotCallEntryDto => ({
  phone_number: entry.phoneNumber,
  reason: entry.reason,
  source: entry.source,
  created_by: entry.createdBy,
  created_at: entry.createdAt,
  expires_at: entry.expiresAt,
});

export const presentImport = ({ count, listed, leftOut }: ImportedNumbers): ImportedDoNotCallDto => ({
  imported: count,
  added: count - listed,
  already_listed: listed,
  ...(leftOut && { left_out: presentLeftOut(leftOut) }),
});
