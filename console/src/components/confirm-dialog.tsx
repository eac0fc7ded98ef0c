import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button';
import { Dialog } from './dialog';
import { FailureNotice } from './failure-notice';

interface Props {
  title: string;
  /** What happens, and to what. */
  text: string;
  /** More about it. */
  children?: ReactNode;
  /** The label of the button that does it. */
  action: string;
  /** The label of the button that does not, where the usual one would mislead. */
  closeLabel?: string;
  isDestructive?: boolean;
  run: () => Promise<unknown>;
  /** After it was done, before the dialog closes. */
  onDone?: () => void;
  onClose: () => void;
}

/** Asks before an act, does it, and stays open with the reason if it fails. */
export function ConfirmDialog({
  title,
  text,
  children,
  action,
  closeLabel,
  isDestructive = true,
  run,
  onDone,
  onClose,
}: Props) {
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
          isBusy={act.isPending}
          onClick={() => act.mutate()}
        >
          {action}
        </Button>
      }
    >
      <p>{text}</p>
      {children}
      {act.isError && <FailureNotice error={act.error} />}
    </Dialog>
  );
}
