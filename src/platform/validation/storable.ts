/** Postgres stores neither NUL nor a lone surrogate in text. */
export const isStorableText = (value: string) => !value.includes('\0') && value.isWellFormed();

/**
 * Replaces characters that cannot be stored by �, and cuts the text to `max` characters, the last of which is then
 * ….
 */
export function storableText(text: string, max: number): string {
  const beginning = text.slice(0, 2 * (max + 1));
  const characters = [...beginning.replaceAll('\0', '\uFFFD').toWellFormed()];
  return characters.length <= max ? characters.join('') : `${characters.slice(0, max - 1).join('')}…`;
}

/** Whether Nest or class-transformer would silently drop a property of this name. */
export const isInheritedName = (name: string) => name === 'prototype' || name in Object.prototype;
