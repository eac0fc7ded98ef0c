import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { ApiFailure } from '../../api/failure';
import { upload } from '../../api/upload';
import { FormDialog } from '../../ui/form-dialog';
import { FileField } from '../../ui/upload/file-field';
import { Table } from '../../ui/table/table';
import { UploadProgress, useAbort } from '../../ui/upload/upload-progress';
import { texts } from '../../texts';
import styles from './do-not-call.module.css';
import { parseRowErrors } from './row-errors';

const labels = texts.doNotCall;

interface Props {
  onDone: (text: string) => Promise<void>;
  onClose: () => void;
}

/** Imports a complete file, or shows the wrong rows. */
export function ImportDialog({ onDone, onClose }: Props) {
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
      await onDone(labels.imported(data.imported));
    },
    onSuccess: onClose,
  });
  const submit = () => {
    if (file) send.mutate(file);
  };
  const failure = send.error instanceof ApiFailure ? send.error : undefined;
  const refusal = failure?.code === 'INVALID_DO_NOT_CALL_FILE' ? failure : undefined;
  return (
    <FormDialog
      title={labels.import}
      action={labels.importAct}
      change={send}
      failure={refusal ? null : send.error}
      isDisabled={!file}
      onSubmit={submit}
      onClose={onClose}
    >
      <FileField
        label={labels.file}
        help={labels.fileHelp}
        accept=".csv,.tsv,.txt,text/csv"
        file={file}
        onChoose={(chosen) => {
          send.reset();
          setFile(chosen);
        }}
      />
      {refusal && (
        <div role="alert" className={styles.errors}>
          <p>{labels.importErrors}</p>
          <Table
            caption={labels.message}
            rows={parseRowErrors(refusal.details ?? '')}
            rowKey={({ row, message }) => `${row} ${message}`}
            columns={[
              { key: 'row', header: labels.row, cell: ({ row }) => row, align: 'end' },
              { key: 'message', header: labels.message, cell: ({ message }) => message },
            ]}
          />
        </div>
      )}
      {send.isPending && (
        <UploadProgress
          share={share}
          after={labels.importing}
          onStop={() => {
            stop();
            send.reset();
          }}
        />
      )}
    </FormDialog>
  );
}
