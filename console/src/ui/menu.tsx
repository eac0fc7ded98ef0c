import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { buttonClass } from './button';
import styles from './menu.module.css';

interface Props {
  /** The name of what the button opens. */
  name: string;
  /** The content of the button. Left out: the name. */
  button?: ReactNode;
  className?: string;
  /** Whether it is open from the start, until it is closed. */
  isOpenAtFirst?: boolean;
  onToggle?: (isOpen: boolean) => void;
  /** Renders what is shown while it is open. `close` gives the focus back to the button. */
  children: (close: () => void) => ReactNode;
}

/** A button that opens a popover below it. The first control of the popover gets the focus. */
export function Menu({
  name,
  button = name,
  className = buttonClass(),
  isOpenAtFirst = false,
  onToggle,
  children,
}: Props) {
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  useLayoutEffect(() => {
    if (!isOpen) return;
    popover.current?.removeAttribute('autofocus');
    // The browser focuses the control when it shows the popover, which it may have done already.
    const control = popover.current?.querySelector<HTMLElement>('input, a, button') ?? popover.current;
    control?.setAttribute('autofocus', '');
    if (popover.current?.matches(':popover-open')) control?.focus();
    // By its button, so that it is shown below it.
    else if (isOpenAtFirst) opener.current?.click();
  }, [isOpen]);
  // It would cover the page to which the focus moves on.
  useEffect(() => {
    if (!isOpen) return;
    const follow = ({ target }: FocusEvent) => {
      if (target !== opener.current && !popover.current?.contains(target as Node))
        popover.current?.hidePopover();
    };
    document.addEventListener('focusin', follow);
    return () => document.removeEventListener('focusin', follow);
  }, [isOpen]);
  const toggle = (isNow: boolean) => {
    setOpen(isNow);
    onToggle?.(isNow);
  };
  const close = () => {
    opener.current?.focus();
    popover.current?.hidePopover();
  };
  return (
    <>
      <button ref={opener} type="button" popoverTarget={id} className={`${className} ${styles.button}`}>
        {button}
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        role="group"
        aria-label={name}
        tabIndex={-1}
        className={styles.popover}
        onBeforeToggle={({ newState }) => newState === 'open' && toggle(true)}
        // The content stays until the browser has moved the focus back to the button.
        onToggle={({ newState }) => newState === 'closed' && toggle(false)}
      >
        {isOpen && children(close)}
      </div>
    </>
  );
}
