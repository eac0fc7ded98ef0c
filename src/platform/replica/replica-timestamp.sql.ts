import { statement } from '../database/statement';

/** Several processes write the row. One of them does it each 5 s, and the others find it fresh. */
const FRESH = `interval '4 seconds'`;

/** SQL: never later than now, as a rounded time could be. */
const NOW = `date_trunc('milliseconds', clock_timestamp())`;

/** Writes the row, unless it is fresh. A row of the future is written too: the clock of the primary was set back. */
export const WRITE_TIMESTAMP = statement(
  'write-replica-timestamp',
  `
    INSERT INTO replica_timestamps (written_at) VALUES (${NOW})
    ON CONFLICT (id) DO UPDATE SET written_at = EXCLUDED.written_at
    WHERE EXCLUDED.written_at NOT BETWEEN replica_timestamps.written_at AND replica_timestamps.written_at + ${FRESH}`,
);

export interface FoundTimestamp {
  writtenAt: Date;
  isStandby: boolean;
}

/** Reads the row of the server that it is sent to. */
export const READ_TIMESTAMP = statement<object, FoundTimestamp>(
  'read-replica-timestamp',
  `SELECT written_at AS "writtenAt", pg_is_in_recovery() AS "isStandby" FROM replica_timestamps`,
);

export const READ_CLOCK = statement<object, { now: Date }>(
  'read-clock-of-primary',
  'SELECT clock_timestamp() AS now',
);
