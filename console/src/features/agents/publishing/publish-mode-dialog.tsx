import { useMutation } from '@tanstack/react-query';
import { api, client, type Schemas } from '../../../api/client';
import { SelectField } from '../../../ui/fields';
import { FormDialog } from '../../../ui/form-dialog';
import { formValues } from '../../../ui/form-values';
import { Loaded } from '../../../ui/loaded';
import { texts } from '../../../texts';

type Own = Schemas['ChangeDeploymentDto']['publish'];

const labels = texts.publishing;

interface Props {
  agentId: string;
  own: Own;
  onDone: () => Promise<unknown>;
  onClose: () => void;
}

/** Sets when calls use new versions of one agent. */
export function PublishModeDialog({ agentId, own, onDone, onClose }: Props) {
  const workspace = api.useQuery('get', '/api/workspace/publishing');
  const save = useMutation({
    mutationFn: async (publish: Own) => {
      await client.PATCH('/api/agents/{agent_id}/deployment', {
        params: { path: { agent_id: agentId } },
        body: { publish },
      });
      await onDone();
    },
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title={labels.changeTitle}
      action={labels.save}
      change={save}
      isDisabled={!workspace.data}
      onSubmit={(form) => save.mutate((formValues(form).publish || null) as Own)}
      onClose={onClose}
    >
      <Loaded query={workspace}>
        {({ data: { publish } }) => (
          <SelectField
            label={labels.facts.publish}
            name="publish"
            defaultValue={own ?? ''}
            any={labels.ofWorkspace(labels.choices[publish])}
            choices={Object.entries(labels.choices).map(([value, label]) => ({ value, label }))}
          />
        )}
      </Loaded>
    </FormDialog>
  );
}
