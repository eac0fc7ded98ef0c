/** Long enough for the longest instructions in the field. */
export const MAX_PROMPT_LENGTH = 100_000;

export const MAX_GREETING_LENGTH = 2_000;

/** Of a variable that prompts and greetings are filled from. */
export const MAX_VARIABLE_NAME_LENGTH = 200;

/** `{{name}}` in a prompt or a greeting; the spaces around the name count for its length, but not for what it names. */
export const PLACEHOLDER = new RegExp(`\\{\\{([^{}]{1,${MAX_VARIABLE_NAME_LENGTH}})\\}\\}`, 'g');
