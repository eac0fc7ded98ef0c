import { statement } from '../../../platform/database/statement';
import { limitStatementTime } from '../../../platform/database/statement-timeouts';
import { isListed } from '../../do-not-call/is-listed.sql';
import type { CampaignRecipient } from './campaign-recipient.entity';
import { MAX_REPORTED } from '../../../platform/validation/row-errors';

export const EXTEND_STATEMENT_TIMEOUT = statement(
  'extend-import-timeout',
  limitStatementTime('importRecipients'),
);

/** Creates the stage, which exists until the end of the transaction that imports a file. */
export const CREATE_STAGE = statement(
  'create-recipient-stage',
  `
    CREATE TEMPORARY TABLE recipient_stage (
      row_number integer NOT NULL, phone_number text NOT NULL, customer_name text NOT NULL,
      dynamic_variables jsonb NOT NULL, timezone text NOT NULL, is_irregular boolean NOT NULL
    ) ON COMMIT DROP`,
);

export const COPY_INTO_STAGE = 'COPY recipient_stage FROM STDIN';

/**
 * Inserts the recipients. It fails if the file contains a number twice: ON CONFLICT DO NOTHING takes two thirds
 * longer.
 */
export const INSERT_RECIPIENTS = statement<{ campaignId: string }>(
  'insert-campaign-recipients',
  `
    INSERT INTO campaign_recipients (campaign_id, phone_number, row_number, customer_name, dynamic_variables, timezone)
    SELECT $campaignId, phone_number, row_number, customer_name, dynamic_variables, timezone FROM recipient_stage`,
);

export const BEFORE_INSERT = statement('before-recipients-insert', 'SAVEPOINT before_insert');

/** Undoes the insert. The stage remains, to find the rows. */
export const UNDO_INSERT = statement('undo-recipients-insert', 'ROLLBACK TO SAVEPOINT before_insert');

const IS_LISTED = isListed('$workspaceId::uuid', 'staged.phone_number');

/** Some different numbers of the stage. */
export interface StagedNumbers {
  callable: number;
  /** The number of recipients on the do-not-call list. */
  listed: number;
}

export const COUNT_STAGED = statement<{ workspaceId: string }, StagedNumbers>(
  'count-staged-recipients',
  `
    SELECT count(*) FILTER (WHERE NOT is_listed)::int AS callable, count(*) FILTER (WHERE is_listed)::int AS listed
    FROM (
      SELECT ${IS_LISTED} AS is_listed FROM (SELECT DISTINCT phone_number FROM recipient_stage) AS staged
    ) AS numbers`,
);

/** Every row has the same variables; a name can be empty. */
export const STAGED_VARIABLES = statement<object, { names: string[]; hasNames: boolean }>(
  'staged-variables',
  `
    SELECT ARRAY(SELECT jsonb_object_keys(dynamic_variables)) AS names,
           EXISTS (SELECT FROM recipient_stage WHERE customer_name <> '') AS "hasNames"
    FROM recipient_stage LIMIT 1`,
);

export type StagedRecipient = Pick<CampaignRecipient, 'phoneNumber' | 'customerName' | 'dynamicVariables'>;

/** The number of first calls that a validation shows. */
const SHOWN_CALLS = 3;

/** Reads the first recipients that can be called. OFFSET: the list is read for the first rows only. */
export const FIRST_STAGED = statement<{ workspaceId: string }, StagedRecipient>(
  'first-staged-recipients',
  `
    SELECT phone_number AS "phoneNumber", customer_name AS "customerName", dynamic_variables AS "dynamicVariables"
    FROM (
      SELECT * FROM recipient_stage
      WHERE row_number IN (SELECT min(row_number) FROM recipient_stage GROUP BY phone_number)
      ORDER BY row_number OFFSET 0
    ) AS staged
    WHERE NOT ${IS_LISTED} ORDER BY row_number LIMIT ${SHOWN_CALLS}`,
);

export interface RepeatedNumber {
  row: number;
  phoneNumber: string;
  /** The first row with the number. */
  firstRow: number;
}

export const FIND_REPEATED = statement<object, RepeatedNumber>(
  'find-repeated-recipients',
  `
    SELECT row_number AS "row", phone_number AS "phoneNumber", first_row AS "firstRow"
    FROM (
      SELECT row_number, phone_number, min(row_number) OVER (PARTITION BY phone_number) AS first_row
      FROM recipient_stage
    ) AS staged
    WHERE row_number > first_row ORDER BY row_number LIMIT ${MAX_REPORTED}`,
);
