import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../api/client';
import { ApiFailure, fieldError } from '../../../api/failure';
import { CheckField, TextField } from '../../../ui/fields';
import { FormDialog } from '../../../ui/form-dialog';
import { formValues } from '../../../ui/form-values';
import { texts } from '../../../texts';

const labels = texts.publishing;

interface Props {
  agentId: string;
  version: number;
  onDone: () => Promise<unknown>;
  onClose: () => void;
}

/** Publishes the newest version of an agent, after its rehearsals or, for a reason, without them. */
export function PublishDialog({ agentId, version, onDone, onClose }: Props) {
  const [isForced, setForced] = useState(false);
  const publish = useMutation({
    mutationFn: async (reason: string) => {
      await client.POST('/api/agents/{agent_id}/deployment/publish', {
        params: { path: { agent_id: agentId } },
        body: isForced ? { force: true, reason } : { force: false },
      });
      await onDone();
    },
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title={labels.publishTitle(version)}
      action={labels.publish}
      change={publish}
      onSubmit={(form) => publish.mutate(formValues(form).reason ?? '')}
      onClose={onClose}
    >
      <p>{isForced ? labels.forceText(version) : labels.publishText(version)}</p>
      <CheckField
        label={labels.force}
        checked={isForced}
        onChange={({ target }) => setForced(target.checked)}
      />
      {isForced && (
        <TextField
          label={labels.reason}
          help={labels.reasonHelp}
          problem={fieldError(publish.error instanceof ApiFailure ? publish.error : undefined, 'reason')}
          name="reason"
          maxLength={500}
          required
          autoFocus
        />
      )}
    </FormDialog>
  );
}
