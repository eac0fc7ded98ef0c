import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { upload } from '../../api/upload';
import { LeftOutRows } from '../../domain/left-out-rows';
import { FormDialog } from '../../ui/form-dialog';
import { Notice } from '../../ui/notice';
import { FileField } from '../../ui/upload/file-field';
import { UploadProgress, useAbort } from '../../ui/upload/upload-progress';
import { texts } from '../../texts';

const labels = texts.doNotCall;

interface Props {
  onDone: (text: string) => Promise<void>;
  onClose: () => void;
}

/** Imports a file. It shows the rows with errors, and stays open for their correction. */
export function ImportDialog({ onDone, onClose }: Props) {
  const [file, setFile] = useState<File>();
  const [share, setShare] = useState(0);
  const { begin, stop } = useAbort();
  const send = useMutation({
    mutationFn: async (chosen: File) => {
      setShare(0);
      const form = new FormData();
      form.set('invalidRows', 'skip');
      form.set('file', chosen);
      const options = { headers: {}, signal: begin(), onProgress: setShare };
      const response = await upload('/api/do-not-call/import', form, options);
      const { data } = (await response.json()) as { data: Schemas['ImportedDoNotCallDto'] };
      const { added, already_listed, left_out } = data;
      const done = labels.imported(added, already_listed, left_out?.rows ?? 0);
      await onDone(done);
      return { done, leftOut: left_out?.rows ? left_out : undefined };
    },
    onSuccess: ({ leftOut }) => {
      if (!leftOut) onClose();
    },
  });
  const submit = () => {
    if (file) send.mutate(file);
  };
  const { done, leftOut } = send.data ?? {};
  return (
    <FormDialog
      title={labels.import}
      action={labels.importAct}
      change={send}
      isDisabled={!file || send.isSuccess}
      closeLabel={send.isSuccess ? texts.common.close : undefined}
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
      {leftOut && (
        <>
          <div role="status">
            <Notice kind="warn">
              <p>{done}</p>
              <p>{labels.leftOut}</p>
            </Notice>
          </div>
          <LeftOutRows leftOut={leftOut} />
        </>
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
