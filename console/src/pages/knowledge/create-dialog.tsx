import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { FailureNotice } from '../../components/failure-notice';
import { SelectField, TextArea, TextField } from '../../components/fields';
import { refusalOf } from '../../components/schema-form/schema-fields';
import { UploadProgress, useAbort } from '../../components/upload-progress';
import { useIdempotencyKey } from '../../components/use-idempotency-key';
import { texts } from '../../texts';
import { createKnowledgeBase, type NewKnowledgeBase } from './create-knowledge-base';
import styles from './knowledge.module.css';

const words = texts.knowledge;

const KINDS = [
  { value: 'file', label: words.fromFile },
  { value: 'links', label: words.fromLinks },
];

function readForm(form: HTMLFormElement): NewKnowledgeBase {
  const data = new FormData(form);
  const text = (name: string) => ((data.get(name) as string | null) ?? '').trim();
  const file = data.get('file');
  return {
    name: text('name'),
    description: text('description'),
    file: file instanceof File ? file : undefined,
    links: [text('baseUrl'), ...text('urls').split('\n')].map((link) => link.trim()).filter(Boolean),
  };
}

/** Creates a knowledge base, shows how far the upload is, and goes to its page. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const [, navigate] = useLocation();
  const [kind, setKind] = useState('file');
  const [share, setShare] = useState(0);
  const keyOf = useIdempotencyKey();
  const { begin, stop } = useAbort();
  const create = useMutation({
    mutationFn: (base: NewKnowledgeBase) => {
      const { name, size, lastModified } = base.file ?? {};
      const key = keyOf({ ...base, file: { name, size, lastModified } });
      return createKnowledgeBase(base, { key, signal: begin(), onProgress: setShare });
    },
    onSuccess: (created) => navigate(`/knowledge/${created}`),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setShare(0);
    create.mutate(readForm(event.currentTarget));
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
          help={words.nameHelp}
          problem={problem('name')}
          name="name"
          required
          maxLength={200}
          autoFocus
        />
        <TextArea
          label={words.description}
          problem={problem('description')}
          name="description"
          maxLength={2_000}
          rows={2}
        />
        <SelectField
          label={words.from}
          value={kind}
          choices={KINDS}
          onChange={({ target }) => setKind(target.value)}
        />
        {kind === 'file' ? (
          <TextField
            label={words.file}
            help={words.fileHelp}
            problem={problem('file')}
            name="file"
            type="file"
            required
            accept=".pdf,.docx,.md,.markdown,.csv,.html,.htm,.txt"
          />
        ) : (
          <>
            <TextField
              label={words.baseUrl}
              help={words.baseUrlHelp}
              problem={problem('baseUrl')}
              name="baseUrl"
              type="url"
              required
            />
            <TextArea
              label={words.urls}
              help={words.urlsHelp}
              problem={problem('urls')}
              name="urls"
              rows={3}
            />
          </>
        )}
        {create.isPending && (
          <UploadProgress
            share={kind === 'file' ? share : 1}
            after={kind === 'file' ? words.reading : words.readingLink}
            onStop={() => {
              stop();
              create.reset();
            }}
          />
        )}
        {create.isError && <FailureNotice error={create.error} />}
      </form>
    </Dialog>
  );
}
