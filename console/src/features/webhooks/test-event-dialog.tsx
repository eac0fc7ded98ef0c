import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { client } from '../../api/client';
import { fieldError } from '../../api/failure';
import { FormDialog } from '../../ui/form-dialog';
import { TextField } from '../../ui/fields';
import { formValues } from '../../ui/form-values';
import { texts } from '../../texts';

const labels = texts.webhooks;

/** Sends a test event to an address, and opens the page of the delivery. */
export function TestEventDialog({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const test = useMutation({
    mutationFn: (url: string) => client.POST('/api/webhooks/test', { body: { url } }),
    onSuccess: ({ data }) => {
      onClose();
      if (data) navigate(`/webhooks/${data.data.delivery_id}`);
    },
  });
  const submit = (form: HTMLFormElement) => {
    test.mutate(formValues(form).url ?? '');
  };
  const problem = fieldError(test.error, 'url');
  return (
    <FormDialog
      title={labels.testTitle}
      action={labels.test}
      change={test}
      failure={problem ? null : test.error}
      onSubmit={submit}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}
