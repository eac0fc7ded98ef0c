import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { texts } from '../texts';
import { Button } from './button';
import styles from './dialog.module.css';
import { focusHeadingIfLost } from './focus-heading';

interface Props {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** The label of the button that closes the dialog, where the usual label would mislead. */
  closeLabel?: string;
  /** The buttons beside the button that closes the dialog. */
  actions?: ReactNode;
  /** Whether the dialog takes the whole window. */
  isFull?: boolean;
}

/** A modal dialog. The browser keeps the focus in the dialog, and restores it after the dialog has closed. */
export function Dialog({ title, onClose, children, closeLabel, actions, isFull }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // The dialog closes before it leaves the document; otherwise, the browser would not restore the focus.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      shown?.close();
      focusHeadingIfLost();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      data-full={isFull || undefined}
      aria-labelledby={id}
      onCancel={onClose}
    >
      <div className={styles.content}>
        <h2 id={id}>{title}</h2>
        {children}
        <div className={styles.actions}>
          <Button onClick={onClose}>
            {closeLabel ?? (actions ? texts.common.cancel : texts.common.close)}
          </Button>
          {actions}
        </div>
      </div>
    </dialog>
  );
}
