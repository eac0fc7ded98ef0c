import { en, type Texts } from './en';

/** The texts of the language in use. */
export const texts: Texts = en;
