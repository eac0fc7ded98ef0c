import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api, client, type Schemas } from '../../../api/client';
import { ApiFailure, fieldError } from '../../../api/failure';
import { useIdempotencyKey } from '../../../ui/use-idempotency-key';
import { FormDialog } from '../../../ui/form-dialog';
import { SelectField, TextField } from '../../../ui/fields';
import { formValues } from '../../../ui/form-values';
import { texts } from '../../../texts';

interface Props {
  /** The template to begin with. */
  template?: string;
  onClose: () => void;
}

const TYPES = Object.entries(texts.agents.types).map(([value, label]) => ({ value, label }));

/** Creates an agent from nothing or from a template, and goes to its page. */
export function CreateAgentDialog({ template = '', onClose }: Props) {
  const [, navigate] = useLocation();
  const [chosen, setChosen] = useState(template);
  const getKey = useIdempotencyKey();
  const templates = api.useQuery('get', '/api/prompt-templates', { params: { query: { limit: 100 } } });
  const create = useMutation({
    mutationFn: (body: Schemas['CreateAgentDto']) =>
      client.POST('/api/agents', { params: { header: { 'Idempotency-Key': getKey(body) } }, body }),
    onSuccess: ({ data }) => data && navigate(`/agents/${data.data._id}`),
  });
  const submit = (form: HTMLFormElement) => {
    const { name = '', type } = formValues(form);
    create.mutate({
      type: type as Schemas['CreateAgentDto']['type'],
      ...(name.trim() && { name: name.trim() }),
      ...(chosen && { templateId: chosen }),
    });
  };
  const failure = create.error instanceof ApiFailure ? create.error : undefined;
  const listed = (templates.data?.data ?? []).map(({ template_id, name }) => ({
    value: template_id,
    label: name,
  }));
  const choices =
    chosen && !listed.some(({ value }) => value === chosen)
      ? [...listed, { value: chosen, label: chosen }]
      : listed;
  return (
    <FormDialog
      title={texts.agents.create}
      action={texts.agents.createAct}
      change={create}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={texts.agents.name}
        help={texts.agents.nameHelp}
        problem={fieldError(failure, 'name')}
        name="name"
        maxLength={200}
        autoFocus
      />
      <SelectField
        label={texts.agents.type}
        problem={fieldError(failure, 'type')}
        name="type"
        defaultValue="outbound"
        choices={TYPES}
      />
      <SelectField
        label={texts.agents.template}
        help={texts.agents.templateHelp}
        problem={fieldError(failure, 'templateId')}
        value={chosen}
        choices={choices}
        any={texts.agents.noTemplate}
        onChange={({ target }) => setChosen(target.value)}
      />
    </FormDialog>
  );
}
