import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { Button } from './button';
import { Dialog } from './dialog';
import { FailureNotice } from './failure-notice';
import styles from './form-dialog.module.css';

interface Props {
  title: string;
  /** The label of the button that sends the form. */
  action: string;
  /** The mutation that sends the form. */
  change: Pick<UseMutationResult, 'isPending' | 'error'>;
  /** The failure below the fields; null if a field shows it. Default: the error of the mutation. */
  failure?: Error | null;
  isDisabled?: boolean;
  /** The label of the button that closes the dialog. Default: cancel. */
  closeLabel?: string;
  onSubmit: (form: HTMLFormElement) => void;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog with a form. It stays open with the reason if the change fails. */
export function FormDialog({
  title,
  action,
  change,
  failure = change.error,
  isDisabled,
  closeLabel,
  onSubmit,
  onClose,
  children,
}: Props) {
  const id = useId();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      closeLabel={closeLabel}
      actions={
        <Button variant="primary" type="submit" form={id} disabled={isDisabled} act={change}>
          {action}
        </Button>
      }
    >
      <form
        id={id}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit(event.currentTarget);
        }}
      >
        {children}
        {failure && <FailureNotice error={failure} />}
      </form>
    </Dialog>
  );
}
