/** Postgres stores neither NUL nor a lone surrogate in text. */
export const isStorableText = (value: string) => !value.includes('\0') && value.isWellFormed();

/** Whether Nest or class-transformer would drop a property of this name without a word. */
export const isInheritedName = (name: string) => name === 'prototype' || name in Object.prototype;
