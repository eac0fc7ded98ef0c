/** The time that a statement may take, in seconds; Postgres ends one that takes longer. 0: no limit. */
const TIMEOUTS = {
  default: 30,
  /** A search of a knowledge base. One that takes longer is answered with 503. */
  search: 2,
  /** A quarter of an hour with a million calls is one segment. */
  addSegments: 300,
  /** The ledger of a workspace with a million calls takes nine seconds, and longer from a slow disk. */
  checkBalance: 300,
  /** A campaign may have a million recipients. */
  importRecipients: 600,
  /** A migration takes as long as the tables are large. */
  migration: 0,
};

/** Returns the time-out in milliseconds. */
export const statementTimeout = (use: keyof typeof TIMEOUTS): number => TIMEOUTS[use] * 1_000;

/** SQL: changes the limit until the end of the transaction. */
export const limitStatementTime = (use: keyof typeof TIMEOUTS): string =>
  `SET LOCAL statement_timeout = '${TIMEOUTS[use]}s'`;
