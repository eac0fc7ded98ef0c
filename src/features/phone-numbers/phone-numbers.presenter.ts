import type { PhoneNumber } from './phone-number.entity';
import { PHONE_NUMBER_STATUS, type PhoneNumberDto } from './phone-numbers.dto';

export const presentPhoneNumber = (phoneNumber: PhoneNumber): PhoneNumberDto => ({
  _id: phoneNumber.id,
  number: phoneNumber.number,
  status: phoneNumber.agentId ? PHONE_NUMBER_STATUS.active : PHONE_NUMBER_STATUS.inactive,
  type: phoneNumber.type,
  agent_id: phoneNumber.agentId,
  created_at: phoneNumber.createdAt,
});
