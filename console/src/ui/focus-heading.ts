const focus = () => document.querySelector<HTMLElement>('h1')?.focus();

/** Focuses the heading of the page after the page has changed, because the focused element was removed. */
export const focusHeading = () => requestAnimationFrame(focus);

/** Focuses the heading, unless another element has the focus by then. */
export const focusHeadingIfLost = () =>
  requestAnimationFrame(() => {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) focus();
  });
