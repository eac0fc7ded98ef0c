import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId } from 'react';
import { client } from '../../api/client';
import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { FailureNotice } from '../../components/failure-notice';
import { TextField } from '../../components/fields';
import { formValues } from '../../components/form-values';
import { e164Of } from '../../components/phone-number';
import { refusalOf } from '../../components/schema-form/schema-fields';
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
        <Button variant="primary" type="submit" form={id} isBusy={add.isPending}>
          {texts.numbers.addAct}
        </Button>
      }
    >
      <form id={id} onSubmit={submit}>
        <TextField
          label={texts.numbers.number}
          help={texts.numbers.numberHelp}
          problem={refusalOf(add.error, 'phone_number')}
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
