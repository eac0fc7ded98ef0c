import { type ReactNode, useEffect, useEffectEvent, useId, useLayoutEffect, useRef } from 'react';
import { texts } from '../texts';
import { Button } from './button';
import styles from './side-panel.module.css';
import { useMedia } from './use-media';

/** The width below which there is no room beside a list. */
const NARROW = '(width < 72rem)';

interface Props {
  title: string;
  /** The id of what is shown. The focus moves to the title when another thing is. */
  shownId: string;
  /** Whether what is shown has ended, which removes buttons, of which one may have the focus. */
  isOver: boolean;
  /** The buttons and links beside the one that closes the panel. */
  actions?: ReactNode;
  children: ReactNode;
  onClose: () => void;
  /** Moves the focus after the panel has closed. */
  onClosed: () => void;
}

/** A panel beside a list, with more about one of its rows. In a narrow window, it is a modal dialog above the list. */
export function SidePanel({ title, shownId, isOver, actions, children, onClose, onClosed }: Props) {
  const panel = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  const isModal = useMedia(NARROW);
  const finish = useEffectEvent(onClosed);
  useLayoutEffect(() => {
    const shown = panel.current;
    if (isModal) shown?.showModal();
    else shown?.show();
    return () => shown?.close();
  }, [isModal]);
  useEffect(() => () => void requestAnimationFrame(() => finish()), []);
  useEffect(() => heading.current?.focus({ preventScroll: true }), [shownId, isModal]);
  useEffect(() => {
    if (isOver && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [isOver]);

  const press = useEffectEvent((event: KeyboardEvent) => {
    // The browser closes these itself.
    if (event.key !== 'Escape' || document.querySelector(':modal, :popover-open')) return;
    event.preventDefault();
    onClose();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  return (
    <dialog ref={panel} className={styles.panel} aria-labelledby={id} onCancel={onClose}>
      <header className={styles.header}>
        <h2 ref={heading} id={id} tabIndex={-1} className={styles.title}>
          {title}
        </h2>
        <div className={styles.actions}>
          {actions}
          <Button
            variant="quiet"
            aria-label={texts.common.close}
            title={texts.common.close}
            onClick={onClose}
          >
            ✕
          </Button>
        </div>
      </header>
      <div className={styles.body}>{children}</div>
    </dialog>
  );
}
