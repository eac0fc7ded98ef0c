import { statement } from '../../platform/database/statement';
import { limitStatementTime } from '../../platform/database/statement-timeouts';
import { SOURCE_STATUS } from './knowledge-base-source.entity';

/** The number of words of the knowledge base that match one word of the query. */
const VARIANTS = 5;

/** The trigram similarity from which two words may be forms or spellings of the same word. */
const MIN_SIMILARITY = 0.4;

/** The number of similar words that are compared with one word of the query. */
const MAX_SIMILAR_WORDS = 2_000;

/** The number of matches that are read; the most common words are dropped first. */
const MAX_HITS = 20_000;

/** The number of passages that are ranked by their words first, and then ordered. */
const MAX_CANDIDATES = 100;

/** A word of a query, and a word of the knowledge base that is the same or similar. */
interface Match {
  asked: string;
  word: string;
}

export interface FoundPassage {
  text: string;
  page: number | null;
  position: number;
  sourceId: string;
  sourceName: string;
  sourceUrl: string;
  score: number;
  /** The words of the query. */
  asked: string[];
  /** The words of the query that the passage has, with its own forms of them. */
  matches: Match[];
}

/**
 * Finds the words of the knowledge base that are similar to those of the query (`found`), weighs them by rarity
 * (`variants`, `weighted`) and ranks the passages by the weight of their words. See decision 7. No query can be a
 * syntax error: it only passes through to_tsvector, plainto_tsquery and websearch_to_tsquery.
 */
export const SEARCH = statement<{ knowledgeBaseId: string; words: string; limit: number }, FoundPassage>(
  'search-knowledge-base',
  `
    WITH completed AS MATERIALIZED (
      -- The passages of other sources are still being stored.
      SELECT id FROM knowledge_base_sources WHERE knowledge_base_id = $knowledgeBaseId AND status = '${SOURCE_STATUS.completed}'
    ), asked AS (
      SELECT word FROM unnest(tsvector_to_array(to_tsvector('simple', $words))) AS word LIMIT 50
    ), known AS (
      SELECT GREATEST(sum(passages), 1)::float8 AS passages FROM knowledge_base_sources WHERE knowledge_base_id = $knowledgeBaseId
    ), found AS (
      SELECT asked.word AS asked, similar_words.word, similarity, similar_words.passages,
             ln(1 + (known.passages - similar_words.passages + 0.5) / (similar_words.passages + 0.5)) AS idf
      FROM known, asked CROSS JOIN LATERAL (
        SELECT word, sum(passages)::float8 AS passages, max(similarity) AS similarity
        FROM (
          SELECT words.word, words.passages, 1 AS similarity
          FROM knowledge_base_words AS words
          WHERE words.knowledge_base_id = $knowledgeBaseId AND words.word = asked.word
            AND words.source_id IN (SELECT id FROM completed)
          UNION ALL
          (
            SELECT words.word, words.passages, similarity(words.word, asked.word)
            FROM knowledge_base_words AS words
            WHERE words.knowledge_base_id = $knowledgeBaseId AND words.word % asked.word AND words.word <> asked.word
              AND similarity(words.word, asked.word) >= ${MIN_SIMILARITY} AND asked.word !~ '\\d' AND words.word !~ '\\d'
              -- If lc_ctype is C, words of other scripts have no trigrams, and it would scan the whole index.
              AND show_trgm(asked.word) <> '{}' AND words.source_id IN (SELECT id FROM completed)
            LIMIT ${MAX_SIMILAR_WORDS}
          )
        ) AS exact_and_similar
        GROUP BY word
        ORDER BY word = asked.word DESC, similarity DESC, word
        LIMIT ${VARIANTS}
      ) AS similar_words
    ), variants AS (
      SELECT asked, word, passages, full_weight, similarity * similarity * LEAST(idf, full_weight) AS weight
      FROM (
        SELECT *, first_value(idf) OVER (
          PARTITION BY asked ORDER BY word = asked DESC, similarity DESC, word
        ) AS full_weight FROM found
      ) AS compared
    ), weighted AS (
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
        SELECT hit.id, weighted.asked, max(weighted.weight) AS weight
        FROM weighted CROSS JOIN LATERAL (
          SELECT id FROM knowledge_base_passages
          WHERE knowledge_base_id = $knowledgeBaseId AND search @@ plainto_tsquery('simple', weighted.word)
            AND source_id IN (SELECT id FROM completed)
          LIMIT ${MAX_HITS}
        ) AS hit
        GROUP BY hit.id, weighted.asked
      ) AS word_hits
      GROUP BY id ORDER BY weight DESC, id LIMIT ${MAX_CANDIDATES}
    )
    SELECT passage.text, passage.page, passage.position, source.public_id AS "sourceId", source.name AS "sourceName",
           source.url AS "sourceUrl",
           round(LEAST(candidates.weight / NULLIF(best.weight, 0), 1)::numeric, 4)::float8 AS score,
           ARRAY (SELECT word FROM asked) AS asked,
           -- Also of words that are too common to be searched first.
           ARRAY (
             SELECT json_build_object('asked', asked, 'word', word) FROM variants
             WHERE passage.search @@ plainto_tsquery('simple', variants.word)
           ) AS matches
    FROM candidates
    JOIN knowledge_base_passages AS passage USING (id)
    JOIN knowledge_base_sources AS source ON source.id = passage.source_id, best
    ORDER BY candidates.weight
             * (1 + 0.5 * (search @@ websearch_to_tsquery('simple', $words))::int
                  + ts_rank_cd(search, plainto_tsquery('simple', $words), 32)) DESC,
             source.position, passage.position
    LIMIT $limit`,
);

export const LIMIT_SEARCH_TIME = statement('limit-search-time', limitStatementTime('search'));
