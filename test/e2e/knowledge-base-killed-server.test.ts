import { Client } from 'pg';
import { createKnowledgeBase, indexed, search } from '../support/knowledge-bases';
import { JWT_SECRET, TestParley } from '../support/parley';
import { ServerProcess } from '../support/server-process';
import { until } from '../support/until';

/** Enough passages for two statements, each with a word of its own. */
const PASSAGES = 1_200;
const FIRST_STATEMENT = 1_000;
const passage = (n: number) => `Number${n} ${'and so on '.repeat(90)}`.trim();
const BOOK = Array.from({ length: PASSAGES }, (_, n) => passage(n)).join('\n\n');

describe('A document whose server is killed while it is indexed', () => {
  /** Receives the document. The process that is killed indexes it. */
  let front: TestParley;
  let successor: TestParley | undefined;
  let server: ServerProcess;

  beforeAll(async () => {
    front = await TestParley.start({ ROLES: 'http' });
    server = await ServerProcess.start({
      DATABASE_URL: front.database.url,
      PARLEY_DATA: front.dataFolder,
      JWT_SECRET,
      LOG_LEVEL: 'warn',
    });
  });
  afterAll(async () => {
    await successor?.stop({ keepDatabase: true });
    await front.stop();
  });

  const counts = async (id: string) => {
    const [row] = await front.sql<{ passages: number; texts: number; words: number }>(
      `SELECT count(*)::int AS passages, count(DISTINCT text)::int AS texts,
         (SELECT count(*)::int FROM knowledge_base_words WHERE knowledge_base_id = $1) AS words
       FROM knowledge_base_passages WHERE knowledge_base_id = $1`,
      [id],
    );
    return row;
  };

  test('is indexed by another one, with no duplicate or missing passage', async () => {
    const workspace = await front.workspace();
    // Blocks the server in its second statement, until it is killed.
    const gate = new Client(front.database.url);
    await gate.connect();
    await gate.query('SELECT pg_advisory_lock(1)');
    await front.sql(`CREATE FUNCTION pass_gate() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END'`);
    await front.sql(`CREATE TRIGGER gate AFTER INSERT ON knowledge_base_passages
      FOR EACH ROW WHEN (NEW.position = ${FIRST_STATEMENT + 100}) EXECUTE FUNCTION pass_gate()`);

    const id = await createKnowledgeBase(workspace, { name: 'book.txt', content: BOOK });
    const atGate = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`;
    const [session] = await until(async () => {
      const sessions = await front.sql<{ pid: number }>(atGate);
      return sessions.length > 0 && sessions;
    });
    await server.kill();
    // Postgres looks for the client of a running statement once a second.
    const isOpen = 'SELECT FROM pg_stat_activity WHERE pid = $1';
    await until(async () => (await front.sql(isOpen, [session?.pid])).length === 0);
    await gate.end();
    expect(await counts(id)).toEqual({
      passages: FIRST_STATEMENT,
      texts: FIRST_STATEMENT,
      words: FIRST_STATEMENT + 3,
    });

    successor = await TestParley.start({ ROLES: 'background', JOB_LEASE_SECONDS: '1' }, front.database);

    expect(await indexed(workspace, id)).toMatchObject({
      sources: [{ status: 'completed', metadata: { passages: PASSAGES } }],
    });
    // Beside the numbers: and, so, on.
    expect(await counts(id)).toEqual({ passages: PASSAGES, texts: PASSAGES, words: PASSAGES + 3 });
    expect(await search(workspace, id, `Number${PASSAGES - 1}`, 1)).toEqual([passage(PASSAGES - 1)]);
  });
});
