import type { FocusEvent } from 'react';

/**
 * Closes a popover when the focus moves on to the page, which it would cover.
 * @param id of the popover, for it and for its button
 */
export const closeWhenLeft =
  (id: string) =>
  ({ relatedTarget: next }: FocusEvent) => {
    const popover = document.getElementById(id);
    const isButton = next instanceof HTMLButtonElement && next.popoverTargetElement === popover;
    if (!popover?.matches(':popover-open') || !next || isButton || popover.contains(next)) return;
    popover.hidePopover();
  };
