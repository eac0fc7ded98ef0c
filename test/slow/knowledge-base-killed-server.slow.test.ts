import { Client } from 'pg';
import {
  createKnowledgeBase,
  HOURS,
  indexed,
  readKnowledgeBase,
  replaceByFile,
  search,
} from '../support/knowledge-bases';
import { JWT_SECRET, TestParley, type TestWorkspace } from '../support/parley';
import { ServerProcess } from '../support/server-process';
import { until } from '../support/until';

/** The number of passages is enough for two statements. Each passage has a word of its own. */
const PASSAGES = 1_200;
const FIRST_STATEMENT = 1_000;
const passage = (n: number) => `Number${n} ${'and so on '.repeat(90)}`.trim();
const BOOK = Array.from({ length: PASSAGES }, (_, n) => passage(n)).join('\n\n');

describe('A server that is killed while it indexes', () => {
  /** This server receives the documents. The process that is killed indexes them. */
  let front: TestParley;
  let server: ServerProcess;
  let workspace: TestWorkspace;

  beforeEach(async () => {
    front = await TestParley.start({ ROLES: 'http' });
    server = await ServerProcess.start({
      DATABASE_URL: front.database.url,
      PARLEY_DATA: front.dataFolder,
      JWT_SECRET,
      LOG_LEVEL: 'warn',
    });
    workspace = await front.workspace();
  });
  afterEach(() => front.stop());

  const counts = async (id: string) => {
    const [row] = await front.sql<{ passages: number; texts: number; words: number }>(
      `SELECT count(*)::int AS passages, count(DISTINCT text)::int AS texts,
         (SELECT count(*)::int FROM knowledge_base_words WHERE knowledge_base_id = $1) AS words
       FROM knowledge_base_passages WHERE knowledge_base_id = $1`,
      [id],
    );
    return row;
  };

  /**
   * Blocks the server at a change of a table, and kills it there.
   * @param change the change in the syntax of a trigger
   */
  async function killAt(change: string, work: () => Promise<unknown>): Promise<void> {
    const gate = new Client(front.database.url);
    await gate.connect();
    await gate.query('SELECT pg_advisory_lock(1)');
    await front.sql(`CREATE FUNCTION pass_gate() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END'`);
    await front.sql(`CREATE TRIGGER gate AFTER ${change} EXECUTE FUNCTION pass_gate()`);
    await work();
    const atGate = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`;
    const [session] = await until(async () => {
      const sessions = await front.sql<{ pid: number }>(atGate);
      return sessions.length > 0 && sessions;
    });
    await server.kill();
    // Postgres checks the client of a running statement once a second.
    const isOpen = 'SELECT FROM pg_stat_activity WHERE pid = $1';
    await until(async () => (await front.sql(isOpen, [session?.pid])).length === 0);
    await gate.end();
  }

  const IN_SECOND_STATEMENT = `INSERT ON knowledge_base_passages
    FOR EACH ROW WHEN (NEW.position = ${FIRST_STATEMENT + 100})`;

  /** Another server, which takes over. */
  async function withSuccessor(check: () => Promise<void>): Promise<void> {
    const settings = { ROLES: 'background', JOB_LEASE_SECONDS: '1' };
    const successor = await TestParley.start(settings, front.database);
    try {
      await check();
    } finally {
      await successor.stop({ keepDatabase: true });
    }
  }

  test('leaves a new document to another one, with no duplicate or missing passage', async () => {
    let id = '';
    await killAt(IN_SECOND_STATEMENT, async () => {
      id = await createKnowledgeBase(workspace, { name: 'book.txt', content: BOOK });
    });
    expect(await counts(id)).toEqual({
      passages: FIRST_STATEMENT,
      texts: FIRST_STATEMENT,
      words: FIRST_STATEMENT + 3,
    });

    await withSuccessor(async () => {
      expect(await indexed(workspace, id)).toMatchObject({
        sources: [{ status: 'completed', metadata: { passages: PASSAGES } }],
      });
    });

    // Further words of the text are "and", "so" and "on".
    expect(await counts(id)).toEqual({ passages: PASSAGES, texts: PASSAGES, words: PASSAGES + 3 });
    expect(await search(workspace, id, `Number${PASSAGES - 1}`, 1)).toEqual([passage(PASSAGES - 1)]);
  });

  test.each([
    ['stores the passages of a replacement', IN_SECOND_STATEMENT],
    ['puts a replacement in the place of the old text', 'DELETE ON knowledge_base_sources FOR EACH ROW'],
    [
      'completes a replacement, after the old text was deleted',
      "UPDATE ON knowledge_base_sources FOR EACH ROW WHEN (NEW.status = 'completed' AND OLD.is_replacement)",
    ],
  ])('when it %s leaves the old text to searches until another one has finished', async (_, change) => {
    const id = await createKnowledgeBase(workspace);
    const { sources } = (await indexed(workspace, id)) as { sources: { _id: string }[] };
    const sourceId = sources[0]?._id ?? '';
    await killAt(change, () => replaceByFile(workspace, id, sourceId, { content: BOOK }));

    expect(await readKnowledgeBase(workspace, id)).toMatchObject({
      sources: [{ _id: sourceId, status: 'completed', replacement: { status: 'processing' } }],
    });
    expect(await search(workspace, id, 'open')).toEqual([HOURS]);
    expect(await search(workspace, id, 'Number7')).toEqual([]);

    await withSuccessor(async () => {
      expect(await indexed(workspace, id)).toMatchObject({
        sources: [{ _id: sourceId, status: 'completed', metadata: { passages: PASSAGES } }],
      });
    });
    expect(await counts(id)).toEqual({ passages: PASSAGES, texts: PASSAGES, words: PASSAGES + 3 });
    expect(await search(workspace, id, 'open')).toEqual([]);
  });
});
