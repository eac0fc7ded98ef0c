/** Adds passages: their source, its knowledge base, the place of the first, their texts and their words. */
export const ADD_PASSAGES = `
  INSERT INTO knowledge_base_passages (source_id, knowledge_base_id, position, text, search)
  SELECT $1, $2, $3 + place - 1, text, to_tsvector('simple', words)
  FROM unnest($4::text[], $5::text[]) WITH ORDINALITY AS passages (text, words, place)`;

/** Counts the words of a source's passages. */
export const COUNT_WORDS = `
  INSERT INTO knowledge_base_words (source_id, knowledge_base_id, word, passages)
  SELECT source_id, knowledge_base_id, word, count(*)
  FROM knowledge_base_passages, unnest(tsvector_to_array(search)) AS word
  WHERE source_id = $1
  GROUP BY source_id, knowledge_base_id, word`;
