import { randomUUID } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { FileCleaner } from '../../src/features/knowledge-base/file-cleaner';
import { StoredFiles } from '../../src/features/knowledge-base/stored-files';
import { SourceIndexer } from '../../src/features/knowledge-base/source-indexer';
import { withoutTable } from '../support/answers';
import {
  createdId,
  createKnowledgeBase,
  indexed,
  readKnowledgeBase,
  search,
} from '../support/knowledge-bases';
import { answering, ScriptedServer } from '../support/scripted-server';
import { TestParley, type TestWorkspace } from '../support/parley';
import { until } from '../support/until';

interface Source {
  _id: string;
  status: string;
  metadata: { fileKey: string; passages: number; reason?: string };
}

describe('Indexing', () => {
  /** This server handles requests and no background work. */
  let front: TestParley;
  /**
   * The server is started by the last tests only: Passport keeps one set of strategies a process, that of the
   * latest application.
   */
  let worker: TestParley | undefined;
  let web: ScriptedServer;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    web = await ScriptedServer.start({
      '/hours': answering('Open from nine.', { 'content-type': 'text/plain' }),
    });
    front = await TestParley.start({ ROLES: 'http', ALLOW_PRIVATE_ADDRESSES: 'true' });
    workspace = await front.workspace();
  });
  afterAll(async () => {
    await worker?.stop({ keepDatabase: true });
    await front.stop();
    await web.stop();
  });

  const startWorker = () =>
    TestParley.start(
      { ROLES: 'background', ALLOW_PRIVATE_ADDRESSES: 'true', JOB_LEASE_SECONDS: '1' },
      front.database,
    );

  const readSources = async (id: string) =>
    ((await readKnowledgeBase(workspace, id)) as { sources: Source[] }).sources;

  const filesIn = (folder: string) => readdir(join(front.dataFolder, folder)).catch(() => []);

  const cleaner = () => front.app.get(FileCleaner, { strict: false });

  /** The state is that of a server that was killed before it has written the source. */
  async function createOrphan(server: TestParley): Promise<string> {
    const path = join(front.dataFolder, 'an-upload');
    await writeFile(path, 'x');
    return server.app.get(StoredFiles, { strict: false }).keep(path);
  }

  test('of a source can be repeated and run concurrently', async () => {
    const id = await createKnowledgeBase(workspace);
    const [source] = await readSources(id);
    const indexer = front.app.get(SourceIndexer, { strict: false });

    await Promise.all(Array.from({ length: 4 }, () => indexer.index(source?._id ?? '', 1)));
    await indexer.index(source?._id ?? '', 1);

    expect(await readSources(id)).toMatchObject([{ status: 'completed', metadata: { passages: 1 } }]);
    expect(await search(workspace, id, 'open')).toHaveLength(1);
  });

  test('that the server fails is retried, and fails after the last attempt', async () => {
    const id = await createKnowledgeBase(workspace);
    const [source] = await readSources(id);
    const indexer = front.app.get(SourceIndexer, { strict: false });
    const index = (attempt: number) =>
      withoutTable(front, 'knowledge_base_words', () => indexer.index(source?._id ?? '', attempt));

    await expect(index(7)).rejects.toThrow();
    expect(await readSources(id)).toMatchObject([{ status: 'processing', metadata: { passages: 0 } }]);
    expect(await search(workspace, id, 'open')).toEqual([]);

    await expect(index(8)).rejects.toThrow();
    expect(await readSources(id)).toMatchObject([
      { status: 'failed', metadata: { passages: 0, reason: 'the server failed on it' } },
    ]);
  });

  test('fails where the server was killed during every attempt', async () => {
    const id = await createKnowledgeBase(workspace);
    const [source] = await readSources(id);

    await front.app.get(SourceIndexer, { strict: false }).index(source?._id ?? '', 9);

    expect(await readSources(id)).toMatchObject([
      { status: 'failed', metadata: { passages: 0, reason: 'the server failed on it' } },
    ]);
  });

  describe('and the files', () => {
    test('of an interrupted upload are removed', async () => {
      const upload = request(`${front.url}/api/knowledge-base`, {
        method: 'POST',
        headers: { 'x-api-key': workspace.apiKey, 'content-type': 'multipart/form-data; boundary=x' },
      });
      upload.on('error', () => undefined);
      upload.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nOpen from');
      await until(async () => (await filesIn('uploads')).length === 1);

      upload.destroy();

      await until(async () => (await filesIn('uploads')).length === 0);
    });

    test('that a crash has orphaned are removed, and no others', async () => {
      const id = await createKnowledgeBase(workspace);
      const kept = (await readSources(id))[0]?.metadata.fileKey ?? '';
      const [orphan, upload, notOurs] = [await createOrphan(front), randomUUID(), 'README'];
      for (const name of [upload, notOurs]) await writeFile(join(front.dataFolder, 'uploads', name), 'x');
      await writeFile(join(front.dataFolder, 'files', notOurs), 'x');

      await cleaner().clean(3_600_000);
      expect(await filesIn('files')).toEqual(expect.arrayContaining([kept, orphan, notOurs]));
      expect(await filesIn('uploads')).toContain(upload);

      await cleaner().clean(0);
      const files = await filesIn('files');
      expect(files).toEqual(expect.arrayContaining([kept, notOurs]));
      expect(files).not.toContain(orphan);
      expect(await filesIn('uploads')).toEqual([notOurs]);
    });
  });

  test('waits for a background process, which resumes the work of a killed one', async () => {
    const link = await workspace.api.post('/api/knowledge-base', {
      name: 'Site',
      baseUrl: web.url('/hours'),
      urls: [`${web.url('/hours')}?again`, web.url('/missing')],
    });
    const ids = [await createKnowledgeBase(workspace), createdId(link)];
    const [id = ''] = ids;
    expect(await readSources(id)).toMatchObject([{ status: 'pending', metadata: { passages: 0 } }]);
    expect(await search(workspace, id, 'open')).toEqual([]);
    // The state is as if the run had begun with each of them, and had been killed.
    await front.sql(`UPDATE knowledge_base_sources SET status = 'processing' WHERE status = 'pending'`);
    await front.sql(
      `UPDATE graphile_worker._private_jobs
       SET attempts = 1, locked_by = 'a killed worker', locked_at = now() - interval '2 seconds'`,
    );

    worker = await startWorker();

    expect(await indexed(workspace, id)).toMatchObject({
      sources: [{ status: 'completed', metadata: { passages: 1 } }],
    });
    expect(await indexed(workspace, ids[1] ?? '')).toMatchObject({
      sources: [
        { status: 'completed', metadata: { passages: 1 } },
        { status: 'failed', metadata: { passages: 0, reason: 'it answers with status 404' } },
        { status: 'failed', metadata: { passages: 0, reason: 'it answers with status 404' } },
      ],
    });
    expect(await search(workspace, id, 'open')).toHaveLength(1);
  });

  test('removes old orphaned files when it starts', async () => {
    const orphan = await createOrphan(front);
    await front.sql(`UPDATE knowledge_base_files SET created_at = now() - interval '2 hours'`);
    expect(await filesIn('files')).toContain(orphan);

    const later = await TestParley.start({ PARLEY_DATA: front.dataFolder }, front.database);

    await until(async () => (await filesIn('files')).every((name) => name !== orphan));
    await later.stop({ keepDatabase: true });
  });

  test('does not remove the files of another installation in the same folder', async () => {
    const other = await TestParley.start({ PARLEY_DATA: front.dataFolder });
    const theirs = await createOrphan(other);

    await cleaner().clean(0);
    expect(await filesIn('files')).toContain(theirs);

    await other.app.get(FileCleaner, { strict: false }).clean(0);
    expect(await filesIn('files')).not.toContain(theirs);
    await other.stop();
  });
});
