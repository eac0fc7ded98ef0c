import { QuotasService } from '../../src/accounts/workspaces/quotas.service';
import { SourceIndexer } from '../../src/features/knowledge-base/source-indexer';
import type { Answer } from '../support/client';
import {
  addFile,
  createKnowledgeBase,
  HOURS,
  readKnowledgeBase,
  replaceByFile,
  search,
} from '../support/knowledge-bases';
import { type TestWorkspace, useOwnParley } from '../support/parley';

interface Source {
  _id: string;
  status: string;
  metadata: { fileKey: string };
  replacement?: Omit<Source, '_id'>;
}

const NEW_HOURS = 'We are open from ten to six.';
const NEWEST_HOURS = 'We are open all day.';

/** A source fails after the last attempt. */
const LAST_RUN = 9;

describe('The replacement of a source', () => {
  /** The server has no background work: each test indexes when it wants to. */
  const parley = useOwnParley({ ROLES: 'http' });
  let workspace: TestWorkspace;
  let id: string;
  let sourceId: string;

  const readRow = async (publicId: string, isReplacement: boolean) => {
    const [row] = await parley.sql<{ id: string }>(
      'SELECT id FROM knowledge_base_sources WHERE public_id = $1 AND is_replacement = $2',
      [publicId, isReplacement],
    );
    return row?.id ?? '';
  };

  const index = (row: string, run = 1) => parley.app.get(SourceIndexer, { strict: false }).index(row, run);

  const readSources = async () => ((await readKnowledgeBase(workspace, id)) as { sources: Source[] }).sources;

  const replace = async (content: string) => {
    expect((await replaceByFile(workspace, id, sourceId, { content })).status).toBe(200);
    return readRow(sourceId, true);
  };

  const remove = () => workspace.api.delete(`/api/knowledge-base/${id}/sources/${sourceId}`);

  /** The keys of the files that a job removes. */
  const filesToRemove = async () => {
    const jobs = await parley.sql<{ keys: string[] }>(
      `SELECT ARRAY (SELECT json_array_elements_text(payload->'keys')) AS keys
       FROM graphile_worker._private_jobs WHERE payload->'keys' IS NOT NULL`,
    );
    return jobs.flatMap(({ keys }) => keys);
  };

  const passageCount = async () =>
    (await parley.sql('SELECT FROM knowledge_base_passages WHERE knowledge_base_id = $1', [id])).length;

  beforeEach(async () => {
    workspace = await parley.workspace();
    id = await createKnowledgeBase(workspace);
    [{ _id: sourceId } = { _id: '' }] = await readSources();
    await parley.sql(`DELETE FROM graphile_worker._private_jobs`);
    await index(await readRow(sourceId, false));
  });

  test('that fails leaves the old content, and says why, until another one is complete', async () => {
    await index(await replace(NEW_HOURS), LAST_RUN);

    expect(await readSources()).toMatchObject([
      {
        _id: sourceId,
        status: 'completed',
        replacement: { status: 'failed', metadata: { passages: 0, reason: 'the server failed on it' } },
      },
    ]);
    expect(await search(workspace, id, 'open')).toEqual([HOURS]);
    const [failed] = await readSources();

    await index(await replace(NEWEST_HOURS));
    const [source] = await readSources();
    expect(source).not.toHaveProperty('replacement');
    expect(await search(workspace, id, 'open')).toEqual([NEWEST_HOURS]);
    expect(await filesToRemove()).toEqual([failed?.replacement?.metadata.fileKey, failed?.metadata.fileKey]);
  });

  test('can be repeated and run concurrently', async () => {
    const row = await replace(NEW_HOURS);

    await Promise.all(Array.from({ length: 4 }, () => index(row)));
    await index(row);

    expect(await readSources()).toMatchObject([{ status: 'completed', metadata: { passages: 1 } }]);
    expect(await search(workspace, id, 'open')).toEqual([NEW_HOURS]);
    expect(await passageCount()).toBe(1);
  });

  test('ends an earlier one, whose job then does nothing', async () => {
    const earlier = await replace(NEW_HOURS);
    const [before] = await readSources();
    const later = await replace(NEWEST_HOURS);

    await index(earlier);
    expect(await search(workspace, id, 'open')).toEqual([HOURS]);
    expect(await filesToRemove()).toEqual([before?.replacement?.metadata.fileKey]);

    await index(later);
    expect(await search(workspace, id, 'open')).toEqual([NEWEST_HOURS]);
    expect(await passageCount()).toBe(1);
  });

  test('is possible before the source itself is indexed, in either order', async () => {
    const { body } = await addFile(workspace, id, { content: 'A chair costs forty euros.' });
    const added = (body as { data: Source[] }).data[0]?._id ?? '';
    const first = await readRow(added, false);
    await replaceByFile(workspace, id, added, { content: 'A chair costs fifty euros.' });

    await index(await readRow(added, true));
    await index(first);

    expect(await search(workspace, id, 'chair')).toEqual(['A chair costs fifty euros.']);
    expect(await readSources()).toMatchObject([{ _id: sourceId }, { _id: added, status: 'completed' }]);
  });

  test.each(['before', 'while', 'after'])('ends with the source, deleted %s it is indexed', async (order) => {
    await addFile(workspace, id, { content: 'We have a garden.' });
    const row = await replace(NEW_HOURS);
    const [{ metadata, replacement } = {} as Source] = await readSources();

    if (order === 'after') await index(row);
    const [removed] = await Promise.all([remove(), order === 'while' && index(row)]);
    await index(row);

    expect(removed.status).toBe(200);
    expect(await readSources()).toHaveLength(1);
    expect(await search(workspace, id, 'open')).toEqual([]);
    expect(await passageCount()).toBe(0);
    expect((await filesToRemove()).sort()).toEqual([metadata.fileKey, replacement?.metadata.fileKey].sort());
  });

  test('ends with the knowledge base', async () => {
    const row = await replace(NEW_HOURS);
    const [{ metadata, replacement } = {} as Source] = await readSources();

    expect((await workspace.api.delete(`/api/knowledge-base/${id}`)).status).toBe(200);
    await index(row);

    expect(await passageCount()).toBe(0);
    expect((await filesToRemove()).sort()).toEqual([metadata.fileKey, replacement?.metadata.fileKey].sort());
  });

  describe('and the quota of bytes', () => {
    const KILOBYTE = 'word '.repeat(199) + 'word.';
    /** The size of the file and of its text. */
    const BYTES = 2_000;
    const HOURS_BYTES = 2 * HOURS.length;

    const quotas = () => parley.app.get(QuotasService, { strict: false });
    const used = async () => (await quotas().show(workspace.workspaceId, 'knowledge_base_bytes')).used;
    const countAnswers = (answers: Answer[], status: number) =>
      answers.filter((answer) => answer.status === status).length;

    test('is not exceeded by replacements and additions at once', async () => {
      const others = await Promise.all(Array.from({ length: 3 }, () => addFile(workspace, id)));
      const ids = others.map(({ body }) => (body as { data: Source[] }).data[0]?._id ?? '');
      const limit = 4 * HOURS_BYTES + 2 * BYTES + 100;
      await quotas().set(workspace.workspaceId, 'knowledge_base_bytes', limit);

      const answers = await Promise.all([
        ...ids.map((each) => replaceByFile(workspace, id, each, { content: KILOBYTE })),
        ...ids.map(() => addFile(workspace, id, { content: KILOBYTE })),
      ]);

      expect(countAnswers(answers, 200) + countAnswers(answers, 201)).toBe(2);
      expect(countAnswers(answers, 403)).toBe(4);
      expect(await used()).toBe(limit - 100);
    });

    test('has the bytes of an earlier replacement back when a later one ends it', async () => {
      const limit = HOURS_BYTES + BYTES;
      await quotas().set(workspace.workspaceId, 'knowledge_base_bytes', limit);

      const answers = await Promise.all(
        Array.from({ length: 4 }, () => replaceByFile(workspace, id, sourceId, { content: KILOBYTE })),
      );

      expect(countAnswers(answers, 200)).toBe(4);
      expect(await used()).toBe(limit);
      await index(await readRow(sourceId, true));
      expect(await used()).toBe(BYTES);
    });

    test('keeps an earlier replacement if the later one exceeds it', async () => {
      const row = await replace(NEW_HOURS);
      await quotas().set(workspace.workspaceId, 'knowledge_base_bytes', HOURS_BYTES + BYTES - 1);

      const { status } = await replaceByFile(workspace, id, sourceId, { content: KILOBYTE });

      expect(status).toBe(403);
      await index(row);
      expect(await search(workspace, id, 'open')).toEqual([NEW_HOURS]);
    });
  });
});
