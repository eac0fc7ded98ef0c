import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId } from 'react';
import { client } from '../../api/client';
import { fieldError } from '../../api/failure';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { FailureNotice } from '../../ui/failure-notice';
import { TextField } from '../../ui/fields';
import { formValues } from '../../ui/form-values';
import { e164Of } from '../../domain/phone-number';
import { texts } from '../../texts';

interface Props {
  onAdded: (number: string) => Promise<void>;
  onClose: () => void;
}

export function AddNumberDialog({ onAdded, onClose }: Props) {
  const id = useId();
  const add = useMutation({
    mutationFn: async (phone_number: string) => {
      await client.POST('/api/phone-number', { body: { phone_number } });
      await onAdded(phone_number);
    },
    onSuccess: onClose,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    add.mutate(e164Of(formValues(event.currentTarget).number ?? ''));
  };
  return (
    <Dialog
      title={texts.numbers.add}
      onClose={onClose}
      actions={
        <Button variant="primary" type="submit" form={id} act={add}>
          {texts.numbers.addAct}
        </Button>
      }
    >
      <form id={id} onSubmit={submit}>
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
      </form>
      {add.isError && <FailureNotice error={add.error} />}
    </Dialog>
  );
}
