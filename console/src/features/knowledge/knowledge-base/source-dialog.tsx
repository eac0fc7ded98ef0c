import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../../api/client';
import { fieldError } from '../../../api/failure';
import { FormDialog } from '../../../ui/form-dialog';
import { SelectField, TextArea, TextField } from '../../../ui/fields';
import { UploadProgress, useAbort } from '../../../ui/upload/upload-progress';
import { useIdempotencyKey } from '../../../ui/use-idempotency-key';
import { texts } from '../../../texts';
import { ACCEPTED_FILES, SOURCE_KINDS } from '../source-kinds';
import { addSource, type NewSource, replaceSource } from './send-source';

interface Props {
  id: string;
  /** The source to replace; undefined: a source is added. */
  replaced?: Schemas['SourceDto'];
  onSaved: () => Promise<unknown>;
  onClose: () => void;
}

const labels = texts.knowledge;

function readForm(form: HTMLFormElement): NewSource {
  const data = new FormData(form);
  const file = data.get('file');
  const links = ((data.get('links') as string | null) ?? '').split('\n');
  return {
    file: file instanceof File ? file : undefined,
    links: links.map((link) => link.trim()).filter(Boolean),
  };
}

const getAct = (isFile: boolean, isReplaced: boolean) => {
  if (isReplaced) return isFile ? labels.replaceFileAct : labels.fetchAgain;
  return isFile ? labels.addFileAct : labels.addLinksAct;
};

/** Adds a file or links to a knowledge base, or replaces one of its sources, and shows the progress. */
export function SourceDialog({ id, replaced, onSaved, onClose }: Props) {
  const [kind, setKind] = useState(replaced?.type === 'link' ? 'links' : 'file');
  const [share, setShare] = useState(0);
  const getKey = useIdempotencyKey();
  const { begin, stop } = useAbort();
  const isFile = kind === 'file';
  const send = useMutation({
    mutationFn: async (source: NewSource) => {
      const { name, size, lastModified } = source.file ?? {};
      const key = getKey({ ...source, file: { name, size, lastModified } });
      const options = { key, signal: begin(), onProgress: setShare };
      if (replaced) await replaceSource(id, replaced._id, source, options);
      else await addSource(id, source, options);
      await onSaved();
    },
    onSuccess: onClose,
  });
  const submit = (form: HTMLFormElement) => {
    setShare(0);
    send.mutate(readForm(form));
  };
  return (
    <FormDialog
      title={replaced ? labels.replaceTitle(replaced.name) : labels.addSource}
      action={getAct(isFile, replaced !== undefined)}
      change={send}
      onSubmit={submit}
      onClose={onClose}
    >
      {replaced ? (
        <p>{labels.replaceText}</p>
      ) : (
        <SelectField
          label={labels.from}
          value={kind}
          choices={SOURCE_KINDS}
          onChange={({ target }) => setKind(target.value)}
        />
      )}
      {isFile && (
        <TextField
          label={labels.file}
          help={labels.fileHelp}
          problem={fieldError(send.error, 'file')}
          name="file"
          type="file"
          required
          accept={ACCEPTED_FILES}
        />
      )}
      {!isFile && replaced && (
        <TextField
          label={labels.link}
          help={labels.linkHelp}
          problem={fieldError(send.error, 'url')}
          name="links"
          type="url"
          required
          defaultValue={replaced.url}
        />
      )}
      {!isFile && !replaced && (
        <TextArea
          label={labels.links}
          help={labels.linksHelp}
          problem={fieldError(send.error, 'urls')}
          name="links"
          required
          rows={3}
        />
      )}
      {send.isPending && (
        <UploadProgress
          share={isFile ? share : 1}
          after={isFile ? labels.reading : labels.readingLink}
          onStop={() => {
            stop();
            send.reset();
          }}
        />
      )}
    </FormDialog>
  );
}
