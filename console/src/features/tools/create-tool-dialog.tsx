import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { client, type Schemas } from '../../api/client';
import { ApiFailure, fieldError } from '../../api/failure';
import { SelectField, TextArea, TextField } from '../../ui/fields';
import { FormDialog } from '../../ui/form-dialog';
import { formValues } from '../../ui/form-values';
import { useIdempotencyKey } from '../../ui/use-idempotency-key';
import { texts } from '../../texts';

type Kind = Schemas['ToolDto']['kind'];

const labels = texts.tools;

const KINDS = Object.entries(labels.kinds).map(([value, label]) => ({ value, label }));

/** Creates a tool with what it cannot do without, and goes to its page. */
export function CreateToolDialog({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const [kind, setKind] = useState<Kind>('http');
  const getKey = useIdempotencyKey();
  const create = useMutation({
    mutationFn: (body: Schemas['WriteToolDto']) =>
      client.POST('/api/tools', { params: { header: { 'Idempotency-Key': getKey(body) } }, body }),
    onSuccess: ({ data }) => data && navigate(`/tools/${data.data.tool_id}`),
  });
  const submit = (form: HTMLFormElement) => {
    const { name = '', description = '', url = '', tools = '' } = formValues(form);
    const names = tools
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    const fields = { name, description, url, kind, ...(kind === 'mcp' && { tools: names }) };
    // The types demand what has a default.
    create.mutate(fields as Schemas['WriteToolDto']);
  };
  const failure = create.error instanceof ApiFailure ? create.error : undefined;
  return (
    <FormDialog
      title={labels.create}
      action={labels.createAct}
      change={create}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={labels.columns.name}
        help={labels.createHelp}
        problem={fieldError(failure, 'name')}
        name="name"
        required
        maxLength={60}
        spellCheck={false}
        autoComplete="off"
        autoFocus
      />
      <TextArea
        label={labels.description}
        help={labels.descriptionHelp}
        problem={fieldError(failure, 'description')}
        name="description"
        required
        maxLength={1_000}
        rows={2}
      />
      <SelectField
        label={labels.kind}
        choices={KINDS}
        value={kind}
        onChange={({ target }) => setKind(target.value as Kind)}
      />
      <TextField
        label={labels.url}
        problem={fieldError(failure, 'url')}
        name="url"
        type="url"
        placeholder="https://"
        required
        maxLength={2_048}
      />
      {kind === 'mcp' && (
        <TextArea
          label={labels.serverTools}
          help={labels.serverToolsHelp}
          problem={fieldError(failure, 'tools')}
          name="tools"
          required
          rows={2}
          spellCheck={false}
        />
      )}
    </FormDialog>
  );
}
