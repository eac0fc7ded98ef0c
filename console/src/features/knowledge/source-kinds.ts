import { texts } from '../../texts';

/** The kinds of source that a form of a knowledge base offers. */
export const SOURCE_KINDS = [
  { value: 'file', label: texts.knowledge.fromFile },
  { value: 'links', label: texts.knowledge.fromLinks },
];

/** The file name extensions that the server can read, for the `accept` attribute of a file field. */
export const ACCEPTED_FILES = '.pdf,.docx,.md,.markdown,.csv,.html,.htm,.txt';
