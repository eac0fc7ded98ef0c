import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { QuotasService } from '../../src/accounts/workspaces/quotas.service';
import { createAgent } from '../support/agents';
import { invalid, invalidWith, outcome, refused, succeeded } from '../support/answers';
import type { Answer } from '../support/client';
import { pdfWithoutText } from '../support/documents';
import {
  addFile,
  createKnowledgeBase,
  fileForm,
  HOURS,
  indexed,
  readKnowledgeBase,
  replaceByFile,
  search,
} from '../support/knowledge-bases';
import { answering, ScriptedServer } from '../support/scripted-server';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';

interface Source {
  _id: string;
  name: string;
  url: string;
  status: string;
  metadata: { fileKey: string; passages: number; reason?: string };
  replacement?: Omit<Source, '_id' | 'replacement'>;
}

const getStatuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();

const sourceNotFound = refused(404, 'Source not found', {
  error_code: 'KNOWLEDGE_BASE_SOURCE_NOT_FOUND',
});

const knowledgeBaseNotFound = refused(404, 'Knowledge base not found', {
  error_code: 'KNOWLEDGE_BASE_NOT_FOUND',
});

describe('The sources of a knowledge base', () => {
  const parley = useOwnParley({ ALLOW_PRIVATE_ADDRESSES: 'true' });
  let web: ScriptedServer;
  /** The answer of the link /prices. */
  let prices: RequestListener;
  let workspace: TestWorkspace;

  const plain = (text: string) => answering(text, { 'content-type': 'text/plain' });

  beforeAll(async () => {
    web = await ScriptedServer.start({
      '/hours': plain(HOURS),
      '/sofas': plain('A sofa costs eight hundred euros.'),
      '/prices': (request, response) => prices(request, response),
    });
    workspace = await parley.workspace();
  });
  beforeEach(() => {
    prices = plain('A chair costs forty euros.');
  });
  afterAll(() => web.stop());

  const readSources = async (id: string) =>
    ((await readKnowledgeBase(workspace, id)) as { sources: Source[] }).sources;

  const indexedSources = async (id: string) =>
    ((await indexed(workspace, id)) as { sources: Source[] }).sources;

  /** A knowledge base of one file. */
  async function withFile(content = HOURS): Promise<{ id: string; sourceId: string; fileKey: string }> {
    const id = await createKnowledgeBase(workspace, { content });
    const [source] = await indexedSources(id);
    return { id, sourceId: source?._id ?? '', fileKey: source?.metadata.fileKey ?? '' };
  }

  /** A knowledge base of the link /prices. */
  async function withLink(): Promise<{ id: string; sourceId: string }> {
    const body = { name: `Prices ${randomUUID()}`, baseUrl: web.url('/prices') };
    const { headers } = await workspace.api.post('/api/knowledge-base', body);
    const id = (headers.get('location') ?? '').replace(/^.*=/, '');
    const [source] = await indexedSources(id);
    return { id, sourceId: source?._id ?? '' };
  }

  const buildPath = (id: string, sourceId = '') =>
    `/api/knowledge-base/${id}/sources/${sourceId}`.replace(/\/$/, '');

  const replaceLink = (id: string, sourceId: string, body: object = {}) =>
    workspace.api.put(buildPath(id, sourceId), body);

  const files = () => readdir(join(parley.dataFolder, 'files'));

  const usedBytes = async ({ workspaceId }: TestWorkspace) =>
    (await parley.app.get(QuotasService, { strict: false }).show(workspaceId, 'knowledge_base_bytes')).used;

  const setQuota = ({ workspaceId }: TestWorkspace, bytes: number) =>
    parley.app.get(QuotasService, { strict: false }).set(workspaceId, 'knowledge_base_bytes', bytes);

  describe('that are added', () => {
    test('as a file are searched beside the others', async () => {
      const { id } = await withFile();

      const { status, headers, body } = await addFile(workspace, id, {
        name: 'prices.txt',
        content: 'A chair costs forty euros.',
        fields: { name: 'Prices of 2026' },
      });

      expect(status).toBe(201);
      expect(headers.get('location')).toBe(`/api/knowledge-base?kb_id=${id}`);
      expect(body).toMatchObject({
        status: 201,
        message: 'Sources added',
        data: [{ type: 'txt', name: 'Prices of 2026', url: '', metadata: { fileName: 'prices.txt' } }],
      });
      const sources = await indexedSources(id);
      expect(sources).toMatchObject([
        { name: 'hours.txt', status: 'completed' },
        { _id: (body as { data: Source[] }).data[0]?._id, name: 'Prices of 2026', status: 'completed' },
      ]);
      expect(await search(workspace, id, 'chair')).toEqual(['A chair costs forty euros.']);
      expect(await search(workspace, id, 'open')).toEqual([HOURS]);
    });

    test('as links are each fetched once, and the type of the knowledge base stays', async () => {
      const { id } = await withFile();
      const urls = [web.url('/sofas'), web.url('/missing'), web.url('/sofas')];

      const { status, body } = await workspace.api.post(buildPath(id), { urls });

      expect(status).toBe(201);
      expect((body as { data: Source[] }).data).toMatchObject([{ url: urls[0] }, { url: urls[1] }]);
      expect(await indexed(workspace, id)).toMatchObject({
        type: 'documents',
        sources: [
          { name: 'hours.txt', status: 'completed' },
          { url: urls[0], status: 'completed' },
          { url: urls[1], status: 'failed', metadata: { reason: 'it answers with status 404' } },
        ],
      });
      expect(await search(workspace, id, 'sofa')).toHaveLength(1);
    });

    test('once with an Idempotency-Key, however often it is sent', async () => {
      const { id } = await withFile();
      const api = workspace.api.with({ 'x-api-key': workspace.apiKey, 'idempotency-key': randomUUID() });
      const send = () => api.post(buildPath(id), { urls: [web.url('/sofas')] });

      const [first, again] = [await send(), await send()];

      expect(again.body).toEqual(first.body);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(await readSources(id)).toHaveLength(2);
    });

    test('are a file or links, and not both', async () => {
      const { id } = await withFile();
      const form = (fields: Record<string, string>) => ({ method: 'POST', body: fileForm({ fields }) });
      const post = (body: object) => outcome(workspace.api.post(buildPath(id), body));

      expect(await post({})).toEqual(invalid('body.urls'));
      expect(await post({ urls: [] })).toEqual(invalid('body.urls'));
      expect(await post({ urls: ['no link'] })).toEqual(invalid('body.urls.0'));
      expect(await post({ urls: [web.url('/hours')], name: 'Hours' })).toEqual(invalid('body.name'));
      expect(await outcome(workspace.api.raw(buildPath(id), form({ urls: web.url('/hours') })))).toEqual(
        invalid('body.urls'),
      );
      expect(await outcome(workspace.api.raw(buildPath(id), form({ name: ' ' })))).toEqual(
        invalid('body.name'),
      );
      expect(await readSources(id)).toHaveLength(1);
    });

    test('are not added if they cannot be read', async () => {
      const { id } = await withFile();
      const before = await files();

      const link = workspace.api.post(buildPath(id), { urls: [web.url('/missing'), web.url('/hours')] });
      expect(await outcome(link)).toEqual(
        refused(422, 'No content can be fetched from the link', {
          error_code: 'LINK_UNAVAILABLE',
          error: { details: 'urls cannot be read: it answers with status 404.' },
        }),
      );
      const file = addFile(workspace, id, { name: 'scan.pdf', content: pdfWithoutText() });
      expect(await outcome(file)).toEqual(invalidWith('FILE_UNREADABLE', 'body.file'));

      expect(await readSources(id)).toHaveLength(1);
      expect(await files()).toEqual(before);
    });

    test('need a knowledge base of the workspace', async () => {
      const { id } = await withFile();
      const stranger = await parley.workspace();

      for (const [asker, base] of [
        [workspace, randomUUID()],
        [workspace, 'no-id'],
        [stranger, id],
      ] as const) {
        expect(await outcome(addFile(asker, base))).toEqual(knowledgeBaseNotFound);
      }
    });

    test('are a hundred at most, also when two are added at once', async () => {
      const { id } = await withFile();
      await parley.sql(
        `INSERT INTO knowledge_base_sources (id, public_id, workspace_id, knowledge_base_id, position, type, name, status)
         SELECT gen_random_uuid(), gen_random_uuid(), $1, $2, n, 'txt', 'filler', 'completed' FROM generate_series(1, 98) AS n`,
        [workspace.workspaceId, id],
      );

      const answers = await Promise.all([addFile(workspace, id), addFile(workspace, id)]);

      expect(getStatuses(answers)).toEqual([201, 403]);
      expect(await outcome(addFile(workspace, id))).toEqual(
        refused(403, 'The limit of sources is reached', {
          error_code: 'KNOWLEDGE_BASE_SOURCES_LIMIT_REACHED',
          details:
            'The knowledge base has 100 of at most 100 sources; this request adds 1. ' +
            'Delete a source, or create another knowledge base.',
        }),
      );
      expect(await readSources(id)).toHaveLength(100);
    });
  });

  describe('that are replaced', () => {
    test('keep their id and their place, and lose their old text and file', async () => {
      const { id, sourceId, fileKey } = await withFile();
      await addFile(workspace, id, { name: 'other.txt', content: 'We have a garden.' });
      await indexed(workspace, id);

      const { status, body } = await replaceByFile(workspace, id, sourceId, {
        name: 'hours-2026.md',
        content: '# Hours\n\nWe are open from ten to six.',
      });

      expect(status).toBe(200);
      expect(body).toMatchObject({
        message: 'Source is being replaced',
        data: {
          _id: sourceId,
          type: 'txt',
          name: 'hours.txt',
          status: 'completed',
          replacement: { type: 'md', name: 'hours-2026.md', status: 'pending' },
        },
      });
      const [source, other] = await indexedSources(id);
      expect(source).toMatchObject({ _id: sourceId, type: 'md', name: 'hours-2026.md', status: 'completed' });
      expect(source).not.toHaveProperty('replacement');
      expect(other).toMatchObject({ name: 'other.txt' });
      expect(await search(workspace, id, 'nine Sunday')).toEqual([]);
      expect(await search(workspace, id, 'open')).toEqual(['Hours\n\nWe are open from ten to six.']);
      await until(async () => !(await files()).includes(fileKey));
      expect(await files()).toContain(source?.metadata.fileKey);
    });

    test('as a link are fetched again, or are another link', async () => {
      const { id, sourceId } = await withLink();
      prices = plain('A chair costs fifty euros.');

      expect((await replaceLink(id, sourceId)).status).toBe(200);
      expect(await indexedSources(id)).toMatchObject([{ _id: sourceId, url: web.url('/prices') }]);
      expect(await search(workspace, id, 'chair')).toEqual(['A chair costs fifty euros.']);

      expect((await replaceLink(id, sourceId, { url: web.url('/sofas') })).status).toBe(200);
      expect(await indexedSources(id)).toMatchObject([
        { _id: sourceId, url: web.url('/sofas'), name: web.url('/sofas'), status: 'completed' },
      ]);
      expect(await search(workspace, id, 'chair sofa')).toEqual(['A sofa costs eight hundred euros.']);
    });

    test('are replaced once with an Idempotency-Key, however often it is sent', async () => {
      const { id, sourceId } = await withLink();
      const api = workspace.api.with({ 'x-api-key': workspace.apiKey, 'idempotency-key': randomUUID() });
      const send = (url: string) => api.put(buildPath(id, sourceId), { url: web.url(url) });

      const [first, again] = [await send('/sofas'), await send('/sofas')];

      expect([first.status, again.body]).toEqual([200, first.body]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect((await send('/hours')).status).toBe(422);
      const query = 'action=knowledge_base.source_replaced&limit=100';
      const { body } = await workspace.api.get(`/api/audit?${query}`);
      const entries = body.data as { target: { id: string } }[];
      expect(entries.filter(({ target }) => target.id === id)).toHaveLength(1);
    });

    test('are found at every moment, with the old text or the new one and never with both', async () => {
      const text = (edition: string) =>
        Array.from(
          { length: 1_500 },
          (_, n) => `Edition ${edition} has a warranty. ${`${n} `.repeat(250)}`,
        ).join('\n\n');
      const { id, sourceId } = await withFile(text('first'));
      const editions: string[] = [];
      let isReplaced = false;

      const searching = (async () => {
        while (!isReplaced) {
          const found = await search(workspace, id, 'warranty', 50);
          editions.push([...new Set(found.map((each) => each.split(' ')[1]))].join(' and '));
        }
      })();
      await until(() => editions.length > 3);
      expect((await replaceByFile(workspace, id, sourceId, { content: text('second') })).status).toBe(200);
      await indexed(workspace, id);
      const before = editions.length;
      await until(() => editions.length > before + 3);
      isReplaced = true;
      await searching;

      const changes = editions.filter((edition, index) => edition !== editions[index - 1]);
      expect(changes).toEqual(['first', 'second']);
    });

    test('by a source that cannot be read stay as they are', async () => {
      const [file, link] = [await withFile(), await withLink()];
      const before = await files();
      prices = answering('', {}, 503);

      expect(await outcome(replaceLink(link.id, link.sourceId))).toEqual(
        refused(422, 'No content can be fetched from the link', {
          error_code: 'LINK_UNAVAILABLE',
          error: { details: 'url cannot be read: it answers with status 503.' },
        }),
      );
      const scan = { name: 'scan.pdf', content: pdfWithoutText() };
      expect(await outcome(replaceByFile(workspace, file.id, file.sourceId, scan))).toEqual(
        invalidWith('FILE_UNREADABLE', 'body.file'),
      );

      for (const { id } of [file, link]) expect((await readSources(id))[0]).not.toHaveProperty('replacement');
      expect(await search(workspace, link.id, 'chair')).toHaveLength(1);
      expect(await search(workspace, file.id, 'open')).toHaveLength(1);
      expect(await files()).toEqual(before);
    });

    test('stay files or links', async () => {
      const [file, link] = [await withFile(), await withLink()];

      expect(await outcome(replaceLink(file.id, file.sourceId, { url: web.url('/hours') }))).toEqual(
        invalid('body.file', 'body.url'),
      );
      expect(await outcome(replaceByFile(workspace, link.id, link.sourceId))).toEqual(invalid('body.file'));
      expect(await outcome(replaceLink(link.id, link.sourceId, { url: 'no link' }))).toEqual(
        invalid('body.url'),
      );
      expect(await outcome(replaceLink(link.id, link.sourceId, { name: 'Prices' }))).toEqual(
        invalid('body.name'),
      );
    });

    test('need a source of this knowledge base', async () => {
      const [one, other] = [await withFile(), await withFile()];
      const stranger = await parley.workspace();

      expect(await outcome(replaceByFile(workspace, one.id, other.sourceId))).toEqual(sourceNotFound);
      expect(await outcome(replaceByFile(workspace, one.id, 'no-id'))).toEqual(sourceNotFound);
      expect(await outcome(replaceByFile(workspace, randomUUID(), one.sourceId))).toEqual(
        knowledgeBaseNotFound,
      );
      expect(await outcome(replaceByFile(stranger, one.id, one.sourceId))).toEqual(knowledgeBaseNotFound);
    });

    test('many times at once have one of the texts, as a whole, and one file', async () => {
      const { id, sourceId } = await withFile();
      const before = (await files()).length;
      const content = (n: number) => `Edition ${n} has a warranty.`;

      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) => replaceByFile(workspace, id, sourceId, { content: content(n) })),
      );

      expect(getStatuses(answers)).toEqual(Array(8).fill(200));
      const [source, ...others] = await indexedSources(id);
      expect(others).toEqual([]);
      expect(source).toMatchObject({ _id: sourceId, status: 'completed', metadata: { passages: 1 } });
      const found = await search(workspace, id, 'warranty');
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(/^Edition \d has a warranty\.$/);
      await until(async () => (await files()).length === before);
      expect(await files()).toContain(source?.metadata.fileKey);
    });

    test('do not change the versions of the agents that have them', async () => {
      const { id, sourceId } = await withFile();
      const agent = await createAgent(workspace, { knowledgeBases: [id] });
      const readVersions = async () =>
        (await workspace.api.get(`/api/agents/${agent}/versions`)).body.pagination.total as number;
      const before = await readVersions();

      await replaceByFile(workspace, id, sourceId);
      await addFile(workspace, id);
      await indexed(workspace, id);

      expect(await readVersions()).toBe(before);
    });
  });

  describe('that are deleted', () => {
    test('are not found any more, and lose their file', async () => {
      const { id, sourceId, fileKey } = await withFile();
      await addFile(workspace, id, { name: 'prices.txt', content: 'A chair costs forty euros.' });
      await indexed(workspace, id);

      expect(await outcome(workspace.api.delete(buildPath(id, sourceId)))).toEqual(
        succeeded('Source deleted', {}),
      );

      expect(await readSources(id)).toMatchObject([{ name: 'prices.txt' }]);
      expect(await search(workspace, id, 'open')).toEqual([]);
      expect(await search(workspace, id, 'chair')).toHaveLength(1);
      await until(async () => !(await files()).includes(fileKey));
      expect(await outcome(workspace.api.delete(buildPath(id, sourceId)))).toEqual(sourceNotFound);
    });

    test('are never the last one, also when two are deleted at once', async () => {
      const { id, sourceId } = await withFile();
      await addFile(workspace, id);
      const sources = await indexedSources(id);

      const answers = await Promise.all(sources.map(({ _id }) => workspace.api.delete(buildPath(id, _id))));

      expect(getStatuses(answers)).toEqual([200, 409]);
      const [last, ...others] = await readSources(id);
      expect(others).toEqual([]);
      expect(await outcome(workspace.api.delete(buildPath(id, last?._id)))).toEqual(
        refused(409, 'The last source cannot be deleted', {
          error_code: 'KNOWLEDGE_BASE_LAST_SOURCE',
          error: { details: expect.stringContaining('Replace this one') as string },
        }),
      );
      expect(await search(workspace, id, 'open')).toHaveLength(1);
      expect([sourceId, sources[1]?._id]).toContain(last?._id);
    });

    test('belong to this knowledge base and workspace', async () => {
      const [one, other] = [await withFile(), await withFile()];
      const stranger = await parley.workspace();

      expect(await outcome(workspace.api.delete(buildPath(one.id, other.sourceId)))).toEqual(sourceNotFound);
      expect(await outcome(workspace.api.delete(buildPath(one.id, 'no-id')))).toEqual(sourceNotFound);
      expect(await outcome(stranger.api.delete(buildPath(one.id, one.sourceId)))).toEqual(
        knowledgeBaseNotFound,
      );
      expect(await readSources(one.id)).toHaveLength(1);
    });
  });

  describe('and the quota of bytes', () => {
    const KILOBYTE = 'word '.repeat(199) + 'word.';
    /** The size of the file and of its text. */
    const BYTES = 2_000;

    test('counts the old and the new content until the new one is complete', async () => {
      const own = await parley.workspace();
      const id = await createKnowledgeBase(own, { content: KILOBYTE });
      const { sources } = (await indexed(own, id)) as { sources: Source[] };
      const sourceId = sources[0]?._id ?? '';
      const replace = () => replaceByFile(own, id, sourceId, { content: KILOBYTE });
      await setQuota(own, 2 * BYTES - 1);

      expect(await replace()).toMatchObject({
        status: 403,
        body: { error_code: 'KNOWLEDGE_BASE_BYTES_QUOTA_REACHED' },
      });
      await setQuota(own, 2 * BYTES);
      expect((await replace()).status).toBe(200);
      await indexed(own, id);

      expect(await usedBytes(own)).toBe(BYTES);
    });
  });

  test('name their ids in the audit, and the knowledge base', async () => {
    const own = await parley.workspace();
    const id = await createKnowledgeBase(own, { fields: { name: 'Prices' } });
    await indexed(own, id);
    const { body } = await addFile(own, id);
    const added = (body as { data: Source[] }).data[0]?._id ?? '';
    await replaceByFile(own, id, added);
    await own.api.delete(buildPath(id, added));
    await own.api.delete(buildPath(id, randomUUID()));

    const { body: audit } = await own.api.get(`/api/audit?target_id=${id}`);

    const target = { kind: 'knowledge_base', id, name: 'Prices' };
    const details = { sources: [added] };
    expect(audit).toMatchObject({
      data: [
        { action: 'knowledge_base.source_deleted', target, details },
        { action: 'knowledge_base.source_replaced', target, details },
        { action: 'knowledge_base.sources_added', target, details },
        { action: 'knowledge_base.created', target },
      ],
    });
  });
});
