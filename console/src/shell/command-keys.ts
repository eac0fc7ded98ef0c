const isApple = /^(Mac|iP)/.test(navigator.platform);

/** The keys of the commands. */
export const COMMAND_KEYS = isApple ? '⌘ k' : 'Ctrl k';

/** Whether these are the keys of the commands. Beside Ctrl, a Mac has keys of its own for editing text. */
export const isForCommands = (event: KeyboardEvent) =>
  event.key.toLowerCase() === 'k' &&
  event.metaKey === isApple &&
  event.ctrlKey === !isApple &&
  !event.altKey &&
  !event.shiftKey;
