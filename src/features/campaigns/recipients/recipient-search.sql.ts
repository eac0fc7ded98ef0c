import { statement, unpreparedStatement } from '../../../platform/database/statement';
import { REPEATED_LENGTH } from './irregular-recipient';

/**
 * The number of recipients of a block. Postgres keeps up to 8 kB of them without compression, as the storage of
 * the table says.
 */
const BLOCK_SIZE = 128;

/**
 * The separator between two recipients, and between the number and the name of an irregular one. Names have spaces
 * instead.
 */
const RECIPIENT_END = '\x1e';
const NUMBER_END = '\x1d';

const RECIPIENT_END_SQL = `chr(${RECIPIENT_END.charCodeAt(0)})`;
const NUMBER_END_SQL = `chr(${NUMBER_END.charCodeAt(0)})`;

/** Whether blocks can be searched for a text. */
export const canBeInBlocks = (text: string): boolean =>
  !text.includes(RECIPIENT_END) && !text.includes(NUMBER_END);

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

interface RecipientSearch {
  campaignId: string;
  search: string;
}

export interface FoundRecipients {
  /** false: the campaign has no blocks. */
  isSearchable: boolean;
  total: number;
  /** The numbers in their order, from the offset on, as Postgres writes an array; the server passes it back. */
  numbers: string;
}

/** SQL: Postgres evaluates this and the term once. A number has the term as it is, because it has no letters. */
const CAN_BE_IN_NUMBER = `$search ~ '^[+0-9]*$'`;
const TERM = 'lower($search)';

/** SQL: whether a text contains the term. strpos takes half the time of LIKE. */
const has = (text: string) => `strpos(${text}, ${TERM}) > 0`;

/** SQL: how often a text has the term, which takes a quarter of the time of splitting the text. */
const occurrences = (text: string) =>
  `((octet_length(${text}) - octet_length(replace(${text}, ${TERM}, ''))) / octet_length(${TERM}))`;

/** SQL: most recipients have some short terms twice. */
const IS_SHORT = `char_length(${TERM}) < ${REPEATED_LENGTH}`;

/** SQL: the text that a block is searched in. A name that can have the same term as a number is irregular. */
const SEARCHED = `CASE WHEN ${CAN_BE_IN_NUMBER} THEN block.numbers ELSE block.names END`;

/** SQL: the text that an irregular recipient is searched in. */
const SEARCHED_OF_IRREGULAR = `split_part(entry, ${NUMBER_END_SQL}, CASE WHEN ${CAN_BE_IN_NUMBER} THEN 1 ELSE 2 END)`;

/** SQL: the recipients of a block that have the term. */
const BY_SPLITTING = `
  SELECT count(*) FROM (SELECT unnest(${split(SEARCHED)}) AS text) AS texts WHERE ${has('text')}`;

/**
 * SQL: the same recipients, found by the gaps between the occurrences. It takes half the time for most terms, and
 * twice the time for the most common ones.
 */
const BY_GAPS = `
  SELECT count(*)
  FROM (SELECT unnest((string_to_array(${SEARCHED} || ${RECIPIENT_END_SQL}, ${TERM}))[2:]) AS gap) AS gaps
  WHERE strpos(gap, ${RECIPIENT_END_SQL}) > 0`;

/** SQL: the number of recipients of a block that have the term, if all were regular. */
const REGULAR_HITS = `
  CASE WHEN char_length(${TERM}) < 2 THEN (${BY_SPLITTING}) WHEN ${IS_SHORT} THEN (${BY_GAPS})
    ELSE ${occurrences(SEARCHED)} END`;

/** SQL: 1 for each irregular recipient with the term, less the number that they were counted as regular ones. */
const CORRECTION = `
  CASE WHEN ${has('block.irregular')}
    THEN (
      SELECT sum(1 - CASE WHEN ${IS_SHORT} THEN (${has('searched')})::int ELSE ${occurrences('searched')} END)
      FROM (SELECT unnest(${split('block.irregular')}) AS entry) AS irregular
      CROSS JOIN LATERAL (SELECT ${SEARCHED_OF_IRREGULAR} AS searched OFFSET 0) AS of_entry
      WHERE ${has('entry')})
    ELSE 0
  END`;

/**
 * Counts the recipients of each block with the term, and splits only the blocks of the page. It is not prepared,
 * so that Postgres plans it for the given text.
 */
export const SEARCH_RECIPIENTS = unpreparedStatement<
  RecipientSearch & { offset: number; limit: number },
  FoundRecipients
>(
  'search-recipients',
  `
    WITH counted AS MATERIALIZED (
      SELECT block, (${REGULAR_HITS} + ${CORRECTION})::int AS hits FROM recipient_search_blocks AS block
      WHERE campaign_id = $campaignId AND (${has(SEARCHED)} OR ${CAN_BE_IN_NUMBER} AND ${has('block.irregular')})
    ), placed AS MATERIALIZED (
      SELECT block, hits, sum(hits) OVER (ORDER BY block) AS total FROM counted
    ), shown AS MATERIALIZED (
      SELECT block, total - hits AS before FROM placed
      WHERE total > $offset::bigint AND total - hits < $offset + $limit
    )
    SELECT EXISTS (SELECT FROM recipient_search_blocks WHERE campaign_id = $campaignId) AS "isSearchable",
           COALESCE((SELECT max(total) FROM placed), 0)::int AS total,
           ARRAY(
             SELECT number
             FROM shown JOIN recipient_search_blocks AS block USING (block) CROSS JOIN LATERAL ${RECIPIENTS_OF_BLOCK} AS recipient
             WHERE campaign_id = $campaignId AND (${CAN_BE_IN_NUMBER} AND ${has('number')} OR ${has('name')})
             ORDER BY number COLLATE "C"
             OFFSET $offset - (SELECT min(before) FROM shown) LIMIT $limit
           )::text AS numbers`,
);
