import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { Schemas } from '../../api/client';
import { ApiFailure } from '../../api/failure';
import { upload } from '../../api/upload';
import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { FailureNotice } from '../../components/failure-notice';
import { FileField } from '../../components/file-field';
import { Table } from '../../components/table';
import { texts } from '../../texts';
import styles from './do-not-call.module.css';
import { rowErrorsOf } from './row-errors';

const words = texts.doNotCall;

interface Props {
  onDone: (text: string) => Promise<void>;
  onClose: () => void;
}

/** Imports a file as a whole, or shows the rows that are wrong. */
export function ImportDialog({ onDone, onClose }: Props) {
  const id = useId();
  const [file, setFile] = useState<File>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const send = useMutation({
    mutationFn: async (chosen: File) => {
      abort.current = new AbortController();
      const form = new FormData();
      form.set('file', chosen);
      const { signal } = abort.current;
      const options = { headers: {}, signal, onProgress: () => undefined };
      const response = await upload('/api/do-not-call/import', form, options);
      const { data } = (await response.json()) as { data: Schemas['ImportedDoNotCallDto'] };
      await onDone(words.imported(data.imported));
    },
    onSuccess: onClose,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (file) send.mutate(file);
  };
  const failure = send.error instanceof ApiFailure ? send.error : undefined;
  const refusal = failure?.code === 'INVALID_DO_NOT_CALL_FILE' ? failure : undefined;
  return (
    <Dialog
      title={words.import}
      onClose={onClose}
      actions={
        <Button variant="primary" type="submit" form={id} disabled={!file} isBusy={send.isPending}>
          {words.importAct}
        </Button>
      }
    >
      <form id={id} onSubmit={submit} className={styles.form}>
        <FileField
          label={words.file}
          help={words.fileHelp}
          accept=".csv,.tsv,.txt,text/csv"
          file={file}
          onChoose={(chosen) => {
            send.reset();
            setFile(chosen);
          }}
        />
        {refusal && (
          <div role="alert" className={styles.errors}>
            <p>{words.importErrors}</p>
            <Table
              caption={words.message}
              rows={rowErrorsOf(refusal.details ?? '')}
              rowKey={({ row, message }) => `${row} ${message}`}
              columns={[
                { key: 'row', header: words.row, cell: ({ row }) => row, align: 'end' },
                { key: 'message', header: words.message, cell: ({ message }) => message },
              ]}
            />
          </div>
        )}
        {send.isError && !refusal && <FailureNotice error={send.error} />}
      </form>
    </Dialog>
  );
}
