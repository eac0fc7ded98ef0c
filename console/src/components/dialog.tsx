import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { texts } from '../texts';
import { Button } from './button';
import styles from './dialog.module.css';
import { focusHeadingIfLost } from './focus-heading';

interface Props {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Of the button that closes it, where the usual label would mislead. */
  closeLabel?: string;
  /** Beside the button that closes it. */
  actions?: ReactNode;
}

/** A modal dialog while it is rendered. The browser keeps the focus in it, and gives it back afterwards. */
export function Dialog({ title, onClose, children, closeLabel, actions }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before it leaves the document: afterwards, the browser would not give the focus back.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      shown?.close();
      focusHeadingIfLost();
    };
  }, []);
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={id} onCancel={onClose}>
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
