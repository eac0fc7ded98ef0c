import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId } from 'react';
import { useLocation } from 'wouter';
import { client, type Schemas } from '../../api/client';
import { fieldError } from '../../api/failure';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { FailureNotice } from '../../ui/failure-notice';
import { TextArea, TextField } from '../../ui/fields';
import { formValues } from '../../ui/form-values';
import { texts } from '../../texts';
import styles from './templates.module.css';

const labels = texts.templates;

const linesOf = (text = '') =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

export function CreateTemplateDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const [, navigate] = useLocation();
  const create = useMutation({
    mutationFn: (body: Schemas['CreatePromptTemplateDto']) => client.POST('/api/prompt-templates', { body }),
    onSuccess: ({ data }) => data && navigate(`/templates/${data.data.template_id}`),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { name = '', greeting = '', prompt = '', category, variables } = formValues(event.currentTarget);
    create.mutate({
      name: name.trim(),
      greeting,
      prompt,
      category: linesOf(category),
      dynamic_variables: linesOf(variables),
    });
  };
  const problem = (name: string) => fieldError(create.error, name);
  return (
    <Dialog
      title={labels.create}
      onClose={onClose}
      actions={
        <Button variant="primary" type="submit" form={id} act={create}>
          {labels.createAct}
        </Button>
      }
    >
      <form id={id} onSubmit={submit} className={styles.form}>
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
        {create.isError && <FailureNotice error={create.error} />}
      </form>
    </Dialog>
  );
}
