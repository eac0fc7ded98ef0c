import { type JsonRows, statement } from '../../platform/database/statement';

export interface Use {
  id: string;
  /** The time in milliseconds since 1970. */
  at: number;
}

/**
 * A row that another statement changes is left out: two servers that store uses of the same rows must not wait for
 * each other.
 */
const noteUses = (table: 'api_keys' | 'sessions' | 'people') =>
  statement<{ uses: JsonRows<Use> }>(
    `note-uses-of-${table}`,
    `
      WITH used AS (
        SELECT id, to_timestamp(at / 1000.0) AS at FROM json_to_recordset($uses::json) AS used (id uuid, at float8)
      ), locked AS (
        SELECT ${table}.id FROM ${table} JOIN used ON used.id = ${table}.id
        FOR NO KEY UPDATE OF ${table} SKIP LOCKED
      )
      UPDATE ${table} SET last_used_at = GREATEST(last_used_at, used.at)
      FROM locked JOIN used ON used.id = locked.id WHERE ${table}.id = locked.id`,
  );

export const NOTE_KEYS = noteUses('api_keys');
export const NOTE_PEOPLE = noteUses('people');
export const NOTE_SESSIONS = noteUses('sessions');
