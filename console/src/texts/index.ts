/** The texts of the language in use. A page loads the files of the texts that it names. */
export * as texts from './en';
