/** Where a server can be killed; `kill-points.ts` says what each means. */
export const KILL_POINTS = [
  'before-transaction',
  'after-commit',
  'after-socket-write',
  'after-confirm',
  'before-reply',
  'during-fenced-cancel',
  'before-report',
  'sweeper-before-publish',
  'sweeper-after-publish',
  'csv-load',
  'campaign-batch',
] as const;
export type KillPoint = (typeof KILL_POINTS)[number];

/** What the suite tells a server's process. */
export type Order =
  | 'start'
  /** To kill itself when it passes the point for this time, counted from now. */
  | { killAt: KillPoint; passage: number }
  /** To be deaf to the broker's confirms of call starts, or no longer. */
  | { loseConfirms: boolean };

/** What a server's process says of each confirm that it is deaf to. */
export const LOST_CONFIRM = 'lost a confirm';
