import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { fieldError } from '../../../api/failure';
import { FormDialog } from '../../../ui/form-dialog';
import { SelectField, TextArea, TextField } from '../../../ui/fields';
import { UploadProgress, useAbort } from '../../../ui/upload/upload-progress';
import { useIdempotencyKey } from '../../../ui/use-idempotency-key';
import { texts } from '../../../texts';
import { ACCEPTED_FILES, SOURCE_KINDS } from '../source-kinds';
import { createKnowledgeBase, type NewKnowledgeBase } from './create-knowledge-base';

const labels = texts.knowledge;

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

/** Creates a knowledge base, shows the progress of the upload, and opens its page. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const [kind, setKind] = useState('file');
  const [share, setShare] = useState(0);
  const getKey = useIdempotencyKey();
  const { begin, stop } = useAbort();
  const create = useMutation({
    mutationFn: (base: NewKnowledgeBase) => {
      const { name, size, lastModified } = base.file ?? {};
      const key = getKey({ ...base, file: { name, size, lastModified } });
      return createKnowledgeBase(base, { key, signal: begin(), onProgress: setShare });
    },
    onSuccess: (created) => navigate(`/knowledge/${created}`),
  });
  const submit = (form: HTMLFormElement) => {
    setShare(0);
    create.mutate(readForm(form));
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
        help={labels.nameHelp}
        problem={problem('name')}
        name="name"
        required
        maxLength={200}
        autoFocus
      />
      <TextArea
        label={labels.description}
        problem={problem('description')}
        name="description"
        maxLength={2_000}
        rows={2}
      />
      <SelectField
        label={labels.from}
        value={kind}
        choices={SOURCE_KINDS}
        onChange={({ target }) => setKind(target.value)}
      />
      {kind === 'file' ? (
        <TextField
          label={labels.file}
          help={labels.fileHelp}
          problem={problem('file')}
          name="file"
          type="file"
          required
          accept={ACCEPTED_FILES}
        />
      ) : (
        <>
          <TextField
            label={labels.baseUrl}
            help={labels.baseUrlHelp}
            problem={problem('baseUrl')}
            name="baseUrl"
            type="url"
            required
          />
          <TextArea
            label={labels.urls}
            help={labels.urlsHelp}
            problem={problem('urls')}
            name="urls"
            rows={3}
          />
        </>
      )}
      {create.isPending && (
        <UploadProgress
          share={kind === 'file' ? share : 1}
          after={kind === 'file' ? labels.reading : labels.readingLink}
          onStop={() => {
            stop();
            create.reset();
          }}
        />
      )}
    </FormDialog>
  );
}
