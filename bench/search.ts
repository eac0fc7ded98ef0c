import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { migrate } from '../src/platform/database/migrate';
import { createDatabase } from '../test/support/database';
import { createKnowledgeBase, indexed, search } from '../test/support/knowledge-bases';
import { TestParley, type TestWorkspace } from '../test/support/parley';

/**
 * Measures searches over HTTP in a knowledge base with many passages.
 *
 * TEST_DATABASE_URL=… npm run bench:search [passages]
 */
const PASSAGES = Number(process.argv[2] ?? 100_000);
const ROUNDS = 20;

/** The size of the vocabulary. As in a language, a word with a higher number is rarer. */
const WORDS = 17_000;

/** A word has letters only, because a word with a digit matches only itself. */
const word = (number: number) =>
  createHash('md5')
    .update(`${number}`)
    .digest('hex')
    .replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] as string)
    .slice(0, 8);

/** Adds passages of a hundred words: $1 source, $2 knowledge base, $3 number of passages. */
const ADD_PASSAGES = `
  INSERT INTO knowledge_base_passages (source_id, knowledge_base_id, position, text, search)
  SELECT $1, $2, passage, words.text, to_tsvector('simple', words.text)
  FROM generate_series(1, $3::int) AS passage CROSS JOIN LATERAL (
    SELECT string_agg(left(translate(md5(n::text), '0123456789', 'ghijklmnop'), 8), ' ') AS text
    FROM (SELECT floor(${WORDS} ^ random())::int AS n FROM generate_series(1, 100) WHERE passage > 0) AS numbers
  ) AS words`;

/** Counts words: $1 source. */
const COUNT_WORDS = `
  INSERT INTO knowledge_base_words (source_id, knowledge_base_id, word, passages)
  SELECT source_id, knowledge_base_id, word, count(*)
  FROM knowledge_base_passages, unnest(tsvector_to_array(search)) AS word
  WHERE source_id = $1
  GROUP BY source_id, knowledge_base_id, word`;

const QUERIES = {
  'a rare word': word(15_000),
  'a word that most passages have': word(1),
  'ten words': Array.from({ length: 10 }, (_, index) => word(5 + index ** 4)).join(' '),
  'a misspelled word': `${word(15_000).slice(0, 7)}x`,
};

async function fill(databaseUrl: string): Promise<void> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string; knowledge_base_id: string }>(
      'SELECT id, knowledge_base_id FROM knowledge_base_sources',
    );
    const [source] = rows;
    await client.query(ADD_PASSAGES, [source?.id, source?.knowledge_base_id, PASSAGES]);
    await client.query('DELETE FROM knowledge_base_words');
    await client.query(COUNT_WORDS, [source?.id]);
    await client.query('UPDATE knowledge_base_sources SET passages = $1', [PASSAGES]);
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}

async function milliseconds(workspace: TestWorkspace, id: string, query: string): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    const found = await search(workspace, id, query);
    times.push(performance.now() - startedAt);
    if (found.length === 0) throw new Error(`No passage matches ${query}.`);
  }
  return times.sort((a, b) => a - b);
}

async function main() {
  const database = await createDatabase({ empty: true });
  await migrate({ DATABASE_URL: database.url });
  const parley = await TestParley.start({}, database);
  try {
    const workspace = await parley.workspace();
    const id = await createKnowledgeBase(workspace);
    await indexed(workspace, id);
    await fill(database.url);
    console.log(`${PASSAGES} passages, ${ROUNDS} searches each; median and slowest in ms`);
    for (const [name, query] of Object.entries(QUERIES)) {
      const times = await milliseconds(workspace, id, query);
      const [median, slowest] = [times[ROUNDS / 2], times.at(-1)];
      console.log(`${name.padEnd(32)} ${median?.toFixed(1)} ${slowest?.toFixed(1)}`);
    }
  } finally {
    await parley.stop();
  }
}

void main();
