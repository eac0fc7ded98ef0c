import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { client, type Schemas } from '../../../api/client';
import { fieldError } from '../../../api/failure';
import { buttonClass } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { TextField } from '../../../ui/fields';
import { FormDialog } from '../../../ui/form-dialog';
import { formValues } from '../../../ui/form-values';
import { texts } from '../../../texts';

const labels = texts.rehearsals;

interface Props {
  call: Schemas['CallDetailDto'];
  onClose: () => void;
}

/** Makes a rehearsal of a call, and says what was replaced in it. */
export function MakeRehearsalDialog({ call, onClose }: Props) {
  const { id } = call.agent;
  const make = useMutation({
    mutationFn: async (name: string) => {
      const body = { call_id: call.call_id, name };
      const params = { path: { agent_id: id } };
      return (await client.POST('/api/agents/{agent_id}/rehearsals/from-call', { params, body })).data?.data;
    },
  });
  if (make.data)
    return (
      <Dialog
        title={labels.makeTitle}
        onClose={onClose}
        closeLabel={texts.common.close}
        actions={
          <Link className={buttonClass('primary')} href={`/agents/${id}/rehearsals`}>
            {labels.read}
          </Link>
        }
      >
        <p role="status">{labels.made(make.data.name)}</p>
        <p>{labels.replaced(make.data.replaced)}</p>
      </Dialog>
    );
  const problem = fieldError(make.error, 'name');
  return (
    <FormDialog
      title={labels.makeTitle}
      action={labels.make}
      change={make}
      failure={problem ? null : make.error}
      onSubmit={(form) => make.mutate(formValues(form).name ?? '')}
      onClose={onClose}
    >
      <p>{labels.makeText}</p>
      <TextField
        label={labels.makeName}
        help={labels.makeNameHelp}
        problem={problem}
        name="name"
        required
        maxLength={60}
        pattern="[a-z0-9]+(-[a-z0-9]+)*"
        spellCheck={false}
        autoComplete="off"
        autoFocus
      />
    </FormDialog>
  );
}
