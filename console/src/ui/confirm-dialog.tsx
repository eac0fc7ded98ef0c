import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from './button';
import { Dialog } from './dialog';
import { FailureNotice } from './failure-notice';
import { TextField } from './fields';
import { texts } from '../texts';

interface Props {
  title: string;
  /** The question, which names the action and its object. */
  text: string;
  /** More text about the action. */
  children?: ReactNode;
  /** The label of the button that runs the action. */
  action: string;
  /** The label of the button that cancels, where "Cancel" would mislead. */
  closeLabel?: string;
  isDestructive?: boolean;
  /** The text that the user must type first, to prevent mistakes. */
  confirmWord?: string;
  run: () => Promise<unknown>;
  /** Called after the action, before the dialog closes. */
  onDone?: () => void;
  onClose: () => void;
}

/** Asks before an action and runs it. The dialog stays open with the reason if the action fails. */
export function ConfirmDialog({
  title,
  text,
  children,
  action,
  closeLabel,
  isDestructive = true,
  confirmWord,
  run,
  onDone,
  onClose,
}: Props) {
  const [typed, setTyped] = useState('');
  const act = useMutation({
    mutationFn: run,
    onSuccess: () => {
      onDone?.();
      onClose();
    },
  });
  return (
    <Dialog
      title={title}
      onClose={onClose}
      closeLabel={closeLabel}
      actions={
        <Button
          variant={isDestructive ? 'danger' : 'primary'}
          act={act}
          disabled={confirmWord !== undefined && typed.trim().toLowerCase() !== confirmWord}
          onClick={() => act.mutate()}
        >
          {action}
        </Button>
      }
    >
      <p>{text}</p>
      {children}
      {confirmWord !== undefined && (
        <TextField
          label={texts.common.typeToConfirm(confirmWord)}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {act.isError && <FailureNotice error={act.error} />}
    </Dialog>
  );
}
