import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { Schemas } from '../../api/client';
import { ApiFailure } from '../../api/failure';
import { upload } from '../../api/upload';
import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { FailureNotice } from '../../components/failure-notice';
import { FileField } from '../../components/file-field';
import { Table } from '../../components/table';
import { UploadProgress, useAbort } from '../../components/upload-progress';
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
  const [share, setShare] = useState(0);
  const { begin, stop } = useAbort();
  const send = useMutation({
    mutationFn: async (chosen: File) => {
      setShare(0);
      const form = new FormData();
      form.set('file', chosen);
      const options = { headers: {}, signal: begin(), onProgress: setShare };
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
        {send.isPending && (
          <UploadProgress
            share={share}
            after={words.importing}
            onStop={() => {
              stop();
              send.reset();
            }}
          />
        )}
        {send.isError && !refusal && <FailureNotice error={send.error} />}
      </form>
    </Dialog>
  );
}
