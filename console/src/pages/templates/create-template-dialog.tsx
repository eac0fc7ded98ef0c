import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId } from 'react';
import { useLocation } from 'wouter';
import { client, type Schemas } from '../../api/client';
import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { FailureNotice } from '../../components/failure-notice';
import { TextArea, TextField } from '../../components/fields';
import { formValues } from '../../components/form-values';
import { refusalOf } from '../../components/schema-form/schema-fields';
import { texts } from '../../texts';
import styles from './templates.module.css';

const words = texts.templates;

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
  const problem = (name: string) => refusalOf(create.error, name);
  return (
    <Dialog
      title={words.create}
      onClose={onClose}
      actions={
        <Button variant="primary" type="submit" form={id} isBusy={create.isPending}>
          {words.createAct}
        </Button>
      }
    >
      <form id={id} onSubmit={submit} className={styles.form}>
        <TextField
          label={words.name}
          problem={problem('name')}
          name="name"
          required
          maxLength={200}
          autoFocus
        />
        <TextArea
          label={words.greeting}
          help={words.greetingHelp}
          problem={problem('greeting')}
          name="greeting"
          required
          maxLength={2_000}
          rows={2}
        />
        <TextArea
          label={words.prompt}
          help={words.promptHelp}
          problem={problem('prompt')}
          name="prompt"
          required
          rows={8}
        />
        <TextArea
          label={words.variables}
          help={words.oneALine}
          problem={problem('dynamic_variables')}
          name="variables"
          rows={2}
        />
        <TextArea
          label={words.category}
          help={words.oneALine}
          problem={problem('category')}
          name="category"
          rows={2}
        />
        {create.isError && <FailureNotice error={create.error} />}
      </form>
    </Dialog>
  );
}
