import type { Statement } from '../database/sql';

/** Words of the knowledge base that stand for a word that was asked for. */
const VARIANTS = 5;

/** From this trigram similarity on, a word may be another form of the one asked for, or what was meant by it. */
const LIKENESS = 0.4;

/** Words that are compared with one that was asked for. */
const MAX_LIKE_WORDS = 2_000;

/** Passages looked at for their words; the words that most of them share are left out first. */
const MAX_HITS = 20_000;

/** The best by their words, among which their order is decided. */
const MAX_CANDIDATES = 100;

/**
 * Finds the passages of a knowledge base ($1) that answer a query ($2), the best first, up to $3.
 *
 * 1. The query's words, and for each the words of the knowledge base that are like it: other forms, other accents,
 *    misspellings. A word with a digit stands for itself only.
 * 2. A word weighs the more the rarer it is (BM25's idf), and its variants the less the less they resemble it, and never
 *    more than itself.
 * 3. Passages by the weight of the words they have; among equals, those where the words stand closer together, which
 *    is also where quoted phrases and exclusions of the query count.
 *
 * The score is the share of the asked words' weight that a passage has. How rare a word is that the knowledge base lacks
 * is not known: it counts as much as the others do on average.
 *
 * Nothing in a query is an error: it only ever passes through to_tsvector, plainto_tsquery and websearch_to_tsquery.
 */
export const SEARCH: Statement = {
  name: 'search-knowledge-base',
  text: `
    WITH completed AS MATERIALIZED (
      -- The passages of other sources are still being stored.
      SELECT id FROM knowledge_base_sources WHERE knowledge_base_id = $1 AND status = 'completed'
    ), asked AS (
      SELECT word FROM unnest(tsvector_to_array(to_tsvector('simple', $2))) AS word LIMIT 50
    ), known AS (
      SELECT GREATEST(sum(passages), 1)::float8 AS passages FROM knowledge_base_sources WHERE knowledge_base_id = $1
    ), found AS (
      SELECT asked.word AS asked, like_it.word, likeness, like_it.passages,
             ln(1 + (known.passages - like_it.passages + 0.5) / (like_it.passages + 0.5)) AS idf
      FROM known, asked CROSS JOIN LATERAL (
        SELECT word, sum(passages)::float8 AS passages, max(likeness) AS likeness
        FROM (
          SELECT words.word, words.passages, 1 AS likeness
          FROM knowledge_base_words AS words
          WHERE words.knowledge_base_id = $1 AND words.word = asked.word
            AND words.source_id IN (SELECT id FROM completed)
          UNION ALL
          (
            SELECT words.word, words.passages, similarity(words.word, asked.word)
            FROM knowledge_base_words AS words
            WHERE words.knowledge_base_id = $1 AND words.word % asked.word AND words.word <> asked.word
              AND similarity(words.word, asked.word) >= ${LIKENESS} AND asked.word !~ '\\d' AND words.word !~ '\\d'
              -- Where lc_ctype is C, a word of another script has no trigrams, and the whole index would be read.
              AND show_trgm(asked.word) <> '{}' AND words.source_id IN (SELECT id FROM completed)
            LIMIT ${MAX_LIKE_WORDS}
          )
        ) AS exact_and_like
        GROUP BY word
        ORDER BY word = asked.word DESC, likeness DESC, word
        LIMIT ${VARIANTS}
      ) AS like_it
    ), variants AS (
      SELECT asked, word, passages, full_weight, likeness * likeness * LEAST(idf, full_weight) AS weight
      FROM (
        SELECT *, first_value(idf) OVER (
          PARTITION BY asked ORDER BY word = asked DESC, likeness DESC, word
        ) AS full_weight FROM found
      ) AS compared
    ), weighty AS (
      SELECT asked, word, weight FROM (
        SELECT *, sum(passages) OVER (ORDER BY weight DESC, word) AS hits,
               row_number() OVER (ORDER BY weight DESC, word) AS place
        FROM variants
      ) AS ordered
      WHERE hits <= ${MAX_HITS} OR place = 1
    ), best AS (
      SELECT avg(full_weight) * (SELECT count(*) FROM asked) AS weight
      FROM (SELECT DISTINCT asked, full_weight FROM variants) AS each_word
    ), candidates AS (
      SELECT id, sum(weight) AS weight FROM (
        SELECT hit.id, weighty.asked, max(weighty.weight) AS weight
        FROM weighty CROSS JOIN LATERAL (
          SELECT id FROM knowledge_base_passages
          WHERE knowledge_base_id = $1 AND search @@ plainto_tsquery('simple', weighty.word)
            AND source_id IN (SELECT id FROM completed)
          LIMIT ${MAX_HITS}
        ) AS hit
        GROUP BY hit.id, weighty.asked
      ) AS word_hits
      GROUP BY id ORDER BY weight DESC, id LIMIT ${MAX_CANDIDATES}
    )
    SELECT passage.text, passage.position, passage.source_id AS "sourceId", source.name AS "sourceName",
           source.url AS "sourceUrl",
           round(LEAST(candidates.weight / NULLIF(best.weight, 0), 1)::numeric, 4)::float8 AS score
    FROM candidates
    JOIN knowledge_base_passages AS passage USING (id)
    JOIN knowledge_base_sources AS source ON source.id = passage.source_id, best
    ORDER BY candidates.weight
             * (1 + 0.5 * (search @@ websearch_to_tsquery('simple', $2))::int
                  + ts_rank_cd(search, plainto_tsquery('simple', $2), 32)) DESC,
             source.position, passage.position
    LIMIT $3`,
};

/** For the transaction that searches: a search that takes longer is ended and answered with 503. */
export const LIMIT_TIME: Statement = {
  name: 'limit-search-time',
  text: `SELECT set_config('statement_timeout', '2s', true)`,
};

export interface FoundPassage {
  text: string;
  position: number;
  sourceId: string;
  sourceName: string;
  sourceUrl: string;
  score: number;
}
