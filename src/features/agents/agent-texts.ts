/** This maximum also bounds the prompts of templates. */
export const MAX_PROMPT_LENGTH = 100_000;

export const MAX_GREETING_LENGTH = 2_000;

/** The longest name of a variable that prompts and greetings refer to. */
export const MAX_VARIABLE_NAME_LENGTH = 200;
