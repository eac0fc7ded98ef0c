import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId } from 'react';
import { client, type Schemas } from '../../api/client';
import { Button } from '../../components/button';
import { zone } from '../../components/days';
import { Dialog } from '../../components/dialog';
import { FailureNotice } from '../../components/failure-notice';
import { TextField } from '../../components/fields';
import { utcOf } from '../../components/filter-query';
import { formValues } from '../../components/form-values';
import { e164Of } from '../../components/phone-number';
import { refusalOf } from '../../components/schema-form/schema-fields';
import { texts } from '../../texts';
import styles from './do-not-call.module.css';

const words = texts.doNotCall;

interface Props {
  onDone: (text: string) => Promise<void>;
  onClose: () => void;
}

export function AddDialog({ onDone, onClose }: Props) {
  const id = useId();
  const add = useMutation({
    mutationFn: async (body: Schemas['AddDoNotCallDto']) => {
      await client.POST('/api/do-not-call', { body });
      await onDone(words.added(body.phone_number));
    },
    onSuccess: onClose,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { number = '', reason = '', expires = '' } = formValues(event.currentTarget);
    add.mutate({
      phone_number: e164Of(number),
      ...(reason.trim() && { reason: reason.trim() }),
      ...(expires && { expires_at: utcOf(expires) }),
    });
  };
  const problem = (name: string) => refusalOf(add.error, name);
  return (
    <Dialog
      title={words.add}
      onClose={onClose}
      actions={
        <Button variant="primary" type="submit" form={id} isBusy={add.isPending}>
          {words.addAct}
        </Button>
      }
    >
      <form id={id} onSubmit={submit} className={styles.form}>
        <TextField
          label={words.number}
          help={words.numberHelp}
          problem={problem('phone_number')}
          name="number"
          type="tel"
          autoComplete="off"
          required
          autoFocus
        />
        <TextField label={words.reason} problem={problem('reason')} name="reason" maxLength={500} />
        <TextField
          label={words.expires}
          help={`${words.expiresHelp} ${texts.campaigns.plan.byYourClock(zone)}`}
          problem={problem('expires_at')}
          name="expires"
          type="datetime-local"
        />
        {add.isError && <FailureNotice error={add.error} />}
      </form>
    </Dialog>
  );
}
