import { statement, unpreparedStatement } from '../../../platform/database/statement';
import { REPEATED_LENGTH } from './irregular-recipient';
import { BLOCK_SIZE, NUMBER_END, RECIPIENT_END } from './recipient-search-block.entity';

const RECIPIENT_END_SQL = `chr(${RECIPIENT_END.charCodeAt(0)})`;
const NUMBER_END_SQL = `chr(${NUMBER_END.charCodeAt(0)})`;

/** Whether a block can have a text. */
export const canBeInBlocks = (text: string): boolean =>
  !text.includes(RECIPIENT_END) && !text.includes(NUMBER_END);

/** Whether the recipients with a text are counted, however many they are: most recipients have some short texts twice. */
export const canBeCounted = (text: string): boolean => [...text].length >= REPEATED_LENGTH;

const join = (text: string) => `string_agg(${text}, ${RECIPIENT_END_SQL})`;
const split = (text: string) => `string_to_array(${text}, ${RECIPIENT_END_SQL})`;

/** SQL: a recipient of `irregular`. concat: a block has no array of names if they are all empty. */
const ENTRY = `concat(number, ${NUMBER_END_SQL}, name)`;

/** Inserts the blocks in the order of the list. It takes a tenth of the time of the import. */
export const INSERT_SEARCH_BLOCKS = statement<{ campaignId: string }>(
  'insert-recipient-search-blocks',
  `
    INSERT INTO recipient_search_blocks (campaign_id, block, numbers, names, irregular)
    SELECT $campaignId, place / ${BLOCK_SIZE}, ${join('number')}, ${join('name')},
           COALESCE(${join(ENTRY)} FILTER (WHERE is_irregular), '')
    FROM (
      SELECT phone_number AS number, is_irregular,
             lower(translate(customer_name, ${RECIPIENT_END_SQL} || ${NUMBER_END_SQL}, '  ')) AS name,
             row_number() OVER (ORDER BY phone_number COLLATE "C") - 1 AS place
      FROM recipient_stage
    ) AS placed
    GROUP BY place / ${BLOCK_SIZE}`,
);

/** SQL: the recipients of the block in question, as rows of number and name. unnest in FROM would take twice the time. */
const RECIPIENTS_OF_BLOCK = `(SELECT unnest(${split('block.numbers')}) AS number, unnest(${split('block.names')}) AS name)`;

/**
 * Erases a recipient from the blocks. It requires the lock of the campaign, as the erasure of the recipient does.
 */
export const ERASE_FROM_SEARCH = statement<{ campaignId: string; phoneNumber: string }>(
  'erase-recipient-from-search',
  `
    UPDATE recipient_search_blocks AS block
    SET (numbers, names, irregular) = (
      SELECT COALESCE(${join('number')}, ''), COALESCE(${join('name')}, ''),
             COALESCE(${join(ENTRY)} FILTER (WHERE ${ENTRY} = ANY (${split('block.irregular')})), '')
      FROM ${RECIPIENTS_OF_BLOCK} AS recipient WHERE number <> $phoneNumber)
    WHERE campaign_id = $campaignId AND strpos(numbers, $phoneNumber) > 0
      AND $phoneNumber = ANY (${split('numbers')})`,
);

export interface RecipientSearch {
  campaignId: string;
  search: string;
  /** The LIKE pattern of the search. */
  pattern: string;
}

interface FoundNumbers {
  /** false: the campaign has no blocks. */
  isSearchable: boolean;
  /** false: there may be more recipients. */
  isComplete: boolean;
  /** The numbers in their order, as Postgres writes an array; the server passes it back. */
  numbers: string;
}

/** SQL: Postgres evaluates these three once. A number has the term as it is, because it has no letters. */
const CAN_BE_IN_NUMBER = `$search ~ '^[+0-9]*$'`;
const TERM = 'lower($search)';
const PATTERN = 'lower($pattern)';

/** SQL: whether a text contains the term. strpos takes twice the time, because it counts the characters before. */
const has = (text: string) => `${text} LIKE ${PATTERN}`;

/** SQL: how often a text has the term, which takes a quarter of the time of splitting the text. */
const occurrences = (text: string) =>
  `((octet_length(${text}) - octet_length(replace(${text}, ${TERM}, ''))) / octet_length(${TERM}))`;

/** SQL: the text that a block is searched in. A name that can have the same term as a number is irregular. */
const SEARCHED = `CASE WHEN ${CAN_BE_IN_NUMBER} THEN block.numbers ELSE block.names END`;

/** SQL: the text that an irregular recipient is searched in. */
const SEARCHED_OF_IRREGULAR = `split_part(entry, ${NUMBER_END_SQL}, CASE WHEN ${CAN_BE_IN_NUMBER} THEN 1 ELSE 2 END)`;

/** SQL: whether a recipient of the block in question has the term. */
const BLOCK_HAS = `(${has(SEARCHED)} OR ${CAN_BE_IN_NUMBER} AND ${has('block.irregular')})`;

/** SQL: whether the recipient in question has the term. */
const RECIPIENT_HAS = `(${CAN_BE_IN_NUMBER} AND ${has('number')} OR ${has('name')})`;

const IS_SEARCHABLE = `EXISTS (SELECT FROM recipient_search_blocks WHERE campaign_id = $campaignId) AS "isSearchable"`;

/** SQL: 1 for each irregular recipient with the term, less the number that they were counted as regular ones. */
const CORRECTION = `
  CASE WHEN ${has('block.irregular')}
    THEN (
      SELECT sum(1 - ${occurrences('searched')})
      FROM (SELECT unnest(${split('block.irregular')}) AS entry) AS irregular
      CROSS JOIN LATERAL (SELECT ${SEARCHED_OF_IRREGULAR} AS searched OFFSET 0) AS of_entry
      WHERE ${has('entry')})
    ELSE 0
  END`;

/** SQL: the number of recipients with the term in each block that has it. */
const countHits = (blocks: string) => `
  SELECT block, (${occurrences(SEARCHED)} + ${CORRECTION})::int AS hits FROM recipient_search_blocks AS block
  WHERE campaign_id = $campaignId AND ${blocks} AND ${BLOCK_HAS}`;

/** The first blocks, which are always counted. They have half a million recipients. */
const FIRST_BLOCKS = 4_096;

/** If the first blocks have this many recipients with the term, the rest is not counted: it would take 30 ms more. */
const MANY = 250_000;

/** SQL: whether all blocks are counted. Postgres evaluates it once. */
const IS_COUNTED = `(SELECT COALESCE(sum(hits), 0) FROM first) < ${MANY}`;

/**
 * Counts the recipients of each block with a term of at least REPEATED_LENGTH characters, and splits only the blocks
 * of the page. It is not prepared, so that Postgres plans it for the given text.
 */
export const SEARCH_RECIPIENTS = unpreparedStatement<
  RecipientSearch & { offset: number; limit: number },
  FoundNumbers & { total: number }
>(
  'search-recipients',
  `
    WITH first AS MATERIALIZED (${countHits(`block < ${FIRST_BLOCKS}`)}
    ), rest AS MATERIALIZED (${countHits(`block >= ${FIRST_BLOCKS} AND ${IS_COUNTED}`)}
    ), placed AS MATERIALIZED (
      SELECT block, hits, sum(hits) OVER (ORDER BY block) AS total
      FROM (SELECT * FROM first UNION ALL SELECT * FROM rest) AS counted
    ), shown AS MATERIALIZED (
      SELECT block, total - hits AS before FROM placed
      WHERE total > $offset::bigint AND total - hits < $offset + $limit
    )
    SELECT ${IS_SEARCHABLE}, COALESCE((SELECT max(total) FROM placed), 0)::int AS total,
           ${IS_COUNTED} OR NOT EXISTS (
             SELECT FROM recipient_search_blocks WHERE campaign_id = $campaignId AND block >= ${FIRST_BLOCKS}
           ) AS "isComplete",
           ARRAY(
             SELECT number
             FROM shown JOIN recipient_search_blocks AS block USING (block) CROSS JOIN LATERAL ${RECIPIENTS_OF_BLOCK} AS recipient
             WHERE campaign_id = $campaignId AND ${RECIPIENT_HAS}
             ORDER BY number COLLATE "C"
             OFFSET $offset - (SELECT min(before) FROM shown) LIMIT $limit
           )::text AS numbers`,
);

/** A recipient of one of the campaigns of a workspace. */
interface FoundInCampaigns {
  campaignId: string;
  number: string;
}

/** Finds the campaigns of a workspace that have a number, the newest first. It looks up the primary key in each. */
export const FIND_NUMBER_IN_CAMPAIGNS = statement<
  { workspaceId: string; numbers: string[]; limit: number },
  FoundInCampaigns
>(
  'find-number-in-campaigns',
  `
    SELECT campaigns.id AS "campaignId", number
    FROM campaigns CROSS JOIN LATERAL (
      SELECT phone_number AS number FROM campaign_recipients
      WHERE campaign_id = campaigns.id AND phone_number = ANY ($numbers::text[]) LIMIT 1
    ) AS recipient
    WHERE workspace_id = $workspaceId ORDER BY campaigns.created_at DESC, campaigns.id DESC LIMIT $limit`,
);

/** The number of blocks that one statement splits, which takes 30 µs for each. */
const MAX_SPLIT = 500;

/** The number of recipients that a list looks up one by one. */
export const MAX_LOOKED_UP = 5_000;

/**
 * Finds the first recipients with any term. OFFSET 0: the blocks are split in their order, until there are enough
 * recipients.
 */
export const FIND_FIRST_RECIPIENTS = unpreparedStatement<RecipientSearch, FoundNumbers>(
  'find-first-recipients',
  `
    WITH having_term AS MATERIALIZED (
      SELECT block FROM recipient_search_blocks AS block WHERE campaign_id = $campaignId AND ${BLOCK_HAS}
      ORDER BY block LIMIT ${MAX_SPLIT} + 1
    ), found AS MATERIALIZED (
      SELECT number
      FROM (SELECT block FROM having_term ORDER BY block LIMIT ${MAX_SPLIT}) AS split
      CROSS JOIN LATERAL (
        SELECT number
        FROM recipient_search_blocks AS block CROSS JOIN LATERAL ${RECIPIENTS_OF_BLOCK} AS recipient
        WHERE campaign_id = $campaignId AND block.block = split.block AND ${RECIPIENT_HAS} OFFSET 0
      ) AS recipient
      LIMIT ${MAX_LOOKED_UP} + 1
    )
    SELECT ${IS_SEARCHABLE},
           (SELECT count(*) FROM having_term) <= ${MAX_SPLIT} AND (SELECT count(*) FROM found) <= ${MAX_LOOKED_UP} AS "isComplete",
           ARRAY(SELECT number FROM found ORDER BY number COLLATE "C" LIMIT ${MAX_LOOKED_UP})::text AS numbers`,
);

/**
 * Finds recipients with a term in the newest blocks of all campaigns of a workspace, those of the newest campaign
 * first. It is not prepared, so that Postgres plans it for the given text.
 */
export const SEARCH_CAMPAIGNS = unpreparedStatement<
  Omit<RecipientSearch, 'campaignId'> & { workspaceId: string; limit: number },
  FoundInCampaigns
>(
  'search-campaigns',
  `
    WITH newest AS MATERIALIZED (
      SELECT campaign_id, block, created_at
      FROM campaigns JOIN recipient_search_blocks ON campaign_id = campaigns.id
      WHERE workspace_id = $workspaceId
      ORDER BY created_at DESC, campaign_id DESC, block LIMIT ${FIRST_BLOCKS}
    )
    SELECT campaign_id AS "campaignId", number
    FROM (
      SELECT block.*
      FROM newest CROSS JOIN LATERAL (
        SELECT * FROM recipient_search_blocks AS block
        WHERE block.campaign_id = newest.campaign_id AND block.block = newest.block OFFSET 0
      ) AS block
      WHERE ${BLOCK_HAS} ORDER BY newest.created_at DESC, block.campaign_id DESC, block.block LIMIT ${MAX_SPLIT}
    ) AS block
    CROSS JOIN LATERAL (
      SELECT number FROM ${RECIPIENTS_OF_BLOCK} AS recipient WHERE ${RECIPIENT_HAS} OFFSET 0
    ) AS recipient
    LIMIT $limit`,
);
