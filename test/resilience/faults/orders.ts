/** The points where a server can be killed; `kill-points.ts` defines them. */
export const KILL_POINTS = [
  'before-transaction',
  'after-commit',
  'after-socket-write',
  'after-confirm',
  'before-reply',
  'during-fenced-cancel',
  'before-report',
  'incoming-after-commit',
  'transcript-batch',
  'sweeper-before-publish',
  'sweeper-after-publish',
  'csv-load',
  'campaign-batch',
  'version-restore',
  'tool-recorded',
  'tool-answered',
] as const;
export type KillPoint = (typeof KILL_POINTS)[number];

/** An order that the suite sends to a server's process. */
export type Order =
  | 'start'
  /** Kill yourself when you reach the point for the n-th time from now. */
  | { killAt: KillPoint; occurrence: number }
  /** Ignore the confirms of call starts from the broker, or stop ignoring them. */
  | { dropConfirms: boolean };

/** The message that a server's process sends for each confirm that it ignores. */
export const DROPPED_CONFIRM = 'dropped a confirm';
