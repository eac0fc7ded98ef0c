import type { DoNotCallEntryDto } from './do-not-call.dto';
import type { ListedNumber } from './do-not-call.repository';

export const presentEntry = (entry: ListedNumber): DoNotCallEntryDto => ({
  phone_number: entry.phoneNumber,
  reason: entry.reason,
  source: entry.source,
  created_by: entry.createdBy,
  created_at: entry.createdAt,
  expires_at: entry.expiresAt,
});
