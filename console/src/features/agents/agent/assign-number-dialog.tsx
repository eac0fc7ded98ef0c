import { useMutation } from '@tanstack/react-query';
import { api, client } from '../../../api/client';
import { ApiFailure, fieldError } from '../../../api/failure';
import { FormDialog } from '../../../ui/form-dialog';
import { TextField } from '../../../ui/fields';
import { formValues } from '../../../ui/form-values';
import { toE164 } from '../../../domain/phone-number';
import { texts } from '../../../texts';

interface Props {
  agentId: string;
  onAssigned: () => Promise<unknown>;
  onClose: () => void;
}

/** Gives an agent a number of the workspace, or a new one. */
export function AssignNumberDialog({ agentId, onAssigned, onClose }: Props) {
  const numbers = api.useQuery('get', '/api/phone-number', { params: { query: { limit: 100 } } });
  const assign = useMutation({
    mutationFn: async (phone_number: string) => {
      await client.PUT('/api/agents/{agent_id}/phone-number', {
        params: { path: { agent_id: agentId } },
        body: { phone_number },
      });
      await onAssigned();
    },
    onSuccess: onClose,
  });
  const submit = (form: HTMLFormElement) => {
    assign.mutate(toE164(formValues(form).number ?? ''));
  };
  const failure = assign.error instanceof ApiFailure ? assign.error : undefined;
  return (
    <FormDialog
      title={texts.agent.assignNumber}
      action={texts.agent.assignAct}
      change={assign}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={texts.agent.number}
        help={texts.agent.assignHelp}
        problem={fieldError(failure, 'phone_number')}
        name="number"
        type="tel"
        suggestions={numbers.data?.data.phone_numbers.map(({ number, status }) => ({
          value: number,
          label: `${number} (${texts.numbers.statuses[status]})`,
        }))}
        autoComplete="off"
        required
        autoFocus
      />
    </FormDialog>
  );
}
