import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client';
import { fieldError } from '../../api/failure';
import { FormDialog } from '../../ui/form-dialog';
import { TextField } from '../../ui/fields';
import { formValues } from '../../ui/form-values';
import { toE164 } from '../../domain/phone-number';
import { texts } from '../../texts';

interface Props {
  onAdded: (number: string) => Promise<void>;
  onClose: () => void;
}

export function AddNumberDialog({ onAdded, onClose }: Props) {
  const add = useMutation({
    mutationFn: async (phone_number: string) => {
      await client.POST('/api/phone-number', { body: { phone_number } });
      await onAdded(phone_number);
    },
    onSuccess: onClose,
  });
  const submit = (form: HTMLFormElement) => {
    add.mutate(toE164(formValues(form).number ?? ''));
  };
  return (
    <FormDialog
      title={texts.numbers.add}
      action={texts.numbers.addAct}
      change={add}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={texts.numbers.number}
        help={texts.numbers.numberHelp}
        problem={fieldError(add.error, 'phone_number')}
        name="number"
        type="tel"
        autoComplete="off"
        required
        autoFocus
      />
    </FormDialog>
  );
}
