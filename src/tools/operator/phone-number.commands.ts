import { PhoneNumbersService } from '../../features/phone-numbers/phone-numbers.service';
import { canonicalNumber } from '../../platform/validation/phone-number';
import { audited } from './audited';
import { command, required, text, UsageError, workspaceFrom } from './command';

function numberFrom(value: string | undefined): string {
  const number = canonicalNumber(required(value, 'number'));
  if (number === undefined) {
    throw new UsageError('--number must be a possible number in E.164 form, such as +15551234567.');
  }
  return number;
}

export const phoneNumberCommands = {
  'number grant': command({
    usage: '--workspace ID --number +15551234567',
    summary: 'Gives a phone number to a workspace.',
    options: { workspace: text, number: text },
    run: async (values, services) => {
      const number = numberFrom(values.number);
      const workspaceId = await workspaceFrom(values, services);
      await audited('phone_number.added', { workspaceId, id: number }, () =>
        services(PhoneNumbersService).grant(workspaceId, number),
      );
      return { workspaceId, number };
    },
  }),

  'number release': command({
    usage: '--number +15551234567',
    summary: 'Removes a phone number from its workspace.',
    options: { number: text },
    run: async (values, services) => {
      const number = numberFrom(values.number);
      const workspaceId = await services(PhoneNumbersService).getHolder(number);
      await audited('phone_number.released', { workspaceId, id: number }, () =>
        services(PhoneNumbersService).remove(workspaceId, number),
      );
      return { workspaceId, number, released: true };
    },
  }),
};
