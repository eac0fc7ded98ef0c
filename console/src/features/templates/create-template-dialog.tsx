import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { client, type Schemas } from '../../api/client';
import { fieldError } from '../../api/failure';
import { FormDialog } from '../../ui/form-dialog';
import { TextArea, TextField } from '../../ui/fields';
import { formValues } from '../../ui/form-values';
import { texts } from '../../texts';

const labels = texts.templates;

const toLines = (text = '') =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

export function CreateTemplateDialog({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const create = useMutation({
    mutationFn: (body: Schemas['CreatePromptTemplateDto']) => client.POST('/api/prompt-templates', { body }),
    onSuccess: ({ data }) => data && navigate(`/templates/${data.data.template_id}`),
  });
  const submit = (form: HTMLFormElement) => {
    const { name = '', greeting = '', prompt = '', category, variables } = formValues(form);
    create.mutate({
      name: name.trim(),
      greeting,
      prompt,
      category: toLines(category),
      dynamic_variables: toLines(variables),
    });
  };
  const problem = (name: string) => fieldError(create.error, name);
  return (
    <FormDialog
      title={labels.create}
      action={labels.createAct}
      change={create}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={labels.name}
        problem={problem('name')}
        name="name"
        required
        maxLength={200}
        autoFocus
      />
      <TextArea
        label={labels.greeting}
        help={labels.greetingHelp}
        problem={problem('greeting')}
        name="greeting"
        required
        maxLength={2_000}
        rows={2}
      />
      <TextArea
        label={labels.prompt}
        help={labels.promptHelp}
        problem={problem('prompt')}
        name="prompt"
        required
        rows={8}
      />
      <TextArea
        label={labels.variables}
        help={labels.oneALine}
        problem={problem('dynamic_variables')}
        name="variables"
        rows={2}
      />
      <TextArea
        label={labels.category}
        help={labels.oneALine}
        problem={problem('category')}
        name="category"
        rows={2}
      />
    </FormDialog>
  );
}
