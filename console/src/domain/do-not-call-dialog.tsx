import { useMutation } from '@tanstack/react-query';
import { client, type Schemas } from '../api/client';
import { fieldError } from '../api/failure';
import { zone } from '../ui/moment';
import { FormDialog } from '../ui/form-dialog';
import { TextField } from '../ui/fields';
import { toUtc } from '../ui/filters/filter-query';
import { formValues } from '../ui/form-values';
import { toE164 } from './phone-number';
import { texts } from '../texts';

const labels = texts.doNotCall;

interface Props {
  /** The number, if the page has chosen it. */
  number?: string;
  onDone: (text: string) => Promise<void>;
  onClose: () => void;
}

/** Puts a number on the do-not-call list. */
export function DoNotCallDialog({ number: chosen, onDone, onClose }: Props) {
  const add = useMutation({
    mutationFn: async (body: Schemas['AddDoNotCallDto']) => {
      await client.POST('/api/do-not-call', { body });
      await onDone(labels.added(body.phone_number));
    },
    onSuccess: onClose,
  });
  const submit = (form: HTMLFormElement) => {
    const { number = chosen ?? '', reason = '', expires = '' } = formValues(form);
    add.mutate({
      phone_number: toE164(number),
      ...(reason.trim() && { reason: reason.trim() }),
      ...(expires && { expires_at: toUtc(expires) }),
    });
  };
  const problem = (name: string) => fieldError(add.error, name);
  return (
    <FormDialog
      title={chosen === undefined ? labels.add : labels.addNamed(chosen)}
      action={labels.addAct}
      change={add}
      onSubmit={submit}
      onClose={onClose}
    >
      {chosen === undefined && (
        <TextField
          label={labels.number}
          help={labels.numberHelp}
          problem={problem('phone_number')}
          name="number"
          type="tel"
          autoComplete="off"
          required
          autoFocus
        />
      )}
      <TextField
        label={labels.reason}
        problem={problem('reason')}
        name="reason"
        maxLength={500}
        autoFocus={chosen !== undefined}
      />
      <TextField
        label={labels.expires}
        help={`${labels.expiresHelp} ${texts.campaigns.plan.byYourClock(zone)}`}
        problem={problem('expires_at')}
        name="expires"
        type="datetime-local"
      />
    </FormDialog>
  );
}
