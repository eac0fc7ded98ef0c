import { useLayoutEffect, useRef } from 'react';
import styles from './tooltip.module.css';

declare global {
  interface HTMLElement {
    /** The types of TypeScript lack the option: the popover is placed beside its source. */
    showPopover(options: { source: HTMLElement }): void;
  }
}

interface Props {
  /** The element that the text is about; null: there is none, and the tooltip is hidden. */
  anchor: HTMLElement | null;
  text: string;
}

/** A text above an element, at once and for the keyboard too, unlike the attribute `title`. Escape hides it. */
export function Tooltip({ anchor, text }: Props) {
  const popover = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shown = popover.current;
    if (!anchor || !shown) return;
    shown.showPopover({ source: anchor });
    return () => shown.hidePopover();
  }, [anchor]);
  return (
    <div ref={popover} popover="hint" role="tooltip" className={styles.tooltip}>
      {text}
    </div>
  );
}
