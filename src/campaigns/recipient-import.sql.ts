import type { Statement } from '../database/sql';
import { MAX_REPORTED } from './row-errors';

/** Lives as long as the transaction that reads a file. */
export const CREATE_STAGE = `
  CREATE TEMPORARY TABLE recipient_stage (
    row_number integer NOT NULL, phone_number text NOT NULL, customer_name text NOT NULL, dynamic_variables jsonb NOT NULL
  ) ON COMMIT DROP`;

export const COPY_INTO_STAGE = 'COPY recipient_stage FROM STDIN';

/** $1 campaign. A number that the file has twice is taken once, so fewer rows come than were staged. */
export const INSERT_RECIPIENTS: Statement = {
  name: '',
  text: `
    INSERT INTO campaign_recipients (campaign_id, phone_number, row_number, customer_name, dynamic_variables)
    SELECT $1, phone_number, row_number, customer_name, dynamic_variables FROM recipient_stage
    ON CONFLICT DO NOTHING`,
};

/** The first rows whose number an earlier row has. */
export const FIND_REPEATED = `
  SELECT row_number AS "row", phone_number AS "phoneNumber", first
  FROM (
    SELECT row_number, phone_number, min(row_number) OVER (PARTITION BY phone_number) AS first FROM recipient_stage
  ) AS staged
  WHERE row_number > first ORDER BY row_number LIMIT ${MAX_REPORTED}`;
