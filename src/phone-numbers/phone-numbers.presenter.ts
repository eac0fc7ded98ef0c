import type { PhoneNumber } from './phone-number.entity';
import type { PhoneNumberDto } from './phone-numbers.dto';

export const presentPhoneNumber = (phoneNumber: PhoneNumber): PhoneNumberDto => ({
  _id: phoneNumber.id,
  number: phoneNumber.number,
  status: phoneNumber.agentId ? 'active' : 'inactive',
  type: phoneNumber.type,
  created_at: phoneNumber.createdAt,
});
