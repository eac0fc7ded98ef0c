/** Gives the focus to the heading of the page once the page has changed, after what had it is gone. */
export const focusHeading = () =>
  requestAnimationFrame(() => document.querySelector<HTMLElement>('h1')?.focus());

/** The same, unless something else has got it. */
export const focusHeadingIfLost = () =>
  requestAnimationFrame(() => {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) focusHeading();
  });
