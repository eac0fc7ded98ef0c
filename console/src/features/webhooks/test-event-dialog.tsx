import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId } from 'react';
import { useLocation } from 'wouter';
import { client } from '../../api/client';
import { fieldError } from '../../api/failure';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { FailureNotice } from '../../ui/failure-notice';
import { TextField } from '../../ui/fields';
import { formValues } from '../../ui/form-values';
import { texts } from '../../texts';
import styles from './webhooks.module.css';

const labels = texts.webhooks;

/** Sends a test event to an address, and opens the page of the delivery. */
export function TestEventDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const [, navigate] = useLocation();
  const test = useMutation({
    mutationFn: (url: string) => client.POST('/api/webhooks/test', { body: { url } }),
    onSuccess: ({ data }) => {
      onClose();
      if (data) navigate(`/webhooks/${data.data.delivery_id}`);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    test.mutate(formValues(event.currentTarget).url ?? '');
  };
  const problem = fieldError(test.error, 'url');
  return (
    <Dialog
      title={labels.testTitle}
      onClose={onClose}
      actions={
        <Button variant="primary" type="submit" form={id} act={test}>
          {labels.test}
        </Button>
      }
    >
      <form id={id} onSubmit={submit} className={styles.form}>
        <p>{labels.testText}</p>
        <TextField
          name="url"
          type="url"
          label={labels.url}
          problem={problem}
          placeholder="https://"
          required
          maxLength={2048}
          autoFocus
        />
      </form>
      {test.isError && problem === undefined && <FailureNotice error={test.error} />}
    </Dialog>
  );
}
