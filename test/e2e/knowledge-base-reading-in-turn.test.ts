import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { outcome, refused } from '../support/answers';
import { slowPdf } from '../support/documents';
import { fileForm, HOURS, postForm } from '../support/knowledge-bases';
import { answering, OddServer } from '../support/odd-server';
import { type TestWorkspace, useParley } from '../support/parley';
import { killReaders, readers } from '../support/reader-processes';
import { until } from '../support/until';

const upload = ({ api }: TestWorkspace, name: string) => postForm(api, fileForm({ fields: { name } }));

/** This document is read until `killReaders()`. */
const uploadSlow = ({ api }: TestWorkspace, name: string) =>
  postForm(api, fileForm({ fields: { name }, name: 'slow.pdf', content: slowPdf() }));

const readNames = async ({ api }: TestWorkspace): Promise<string[]> => {
  const { body } = await api.get('/api/knowledge-base');
  return (body as { data: { name: string }[] }).data.map(({ name }) => name);
};

const readerFailed = () =>
  refused(500, 'Internal server error', {
    error_code: 'DOCUMENT_READER_FAILED',
    error: {
      details:
        'The server failed to read the document: the process that read it ended with SIGKILL. It can be sent again.',
    },
  });

describe('A document that waits for a reader process', () => {
  const parley = useParley({ DOCUMENT_WAIT_MS: '1' });

  test('is refused after a time, and does not block other workspaces', async () => {
    const [busy, other] = [await parley.workspace(), await parley.workspace()];
    const uploads = ['One', 'Two'].map((name) => uploadSlow(busy, name));

    const refusedUpload = await Promise.race(uploads);
    expect((await upload(other, 'Hours')).status).toBe(201);
    await until(() => readers().length === 2);
    killReaders();

    expect(refusedUpload.headers.get('retry-after')).toBe('1');
    expect(await outcome(Promise.resolve(refusedUpload))).toEqual(
      refused(503, 'Too many documents are being read', {
        error_code: 'DOCUMENT_READERS_BUSY',
        error: {
          details: 'The server could not start to read this one within 0.001 s. Send it again later.',
        },
      }),
    );
    const outcomes = await Promise.all(uploads.map(outcome));
    expect(outcomes.filter(({ status }) => status !== 503)).toEqual([readerFailed()]);
    expect(await readNames(busy)).toEqual([]);
  });
});

describe('A link', () => {
  const parley = useParley({ ALLOW_PRIVATE_ADDRESSES: 'true' });
  const held: ServerResponse[] = [];
  let maxConcurrent = 0;
  let web: OddServer;

  beforeAll(async () => {
    web = await OddServer.start({
      '/hours': answering(HOURS, { 'content-type': 'text/plain' }),
      '/held': (_, response) => {
        maxConcurrent = Math.max(maxConcurrent, held.push(response));
      },
    });
  });
  // The next test would take a remaining reader process for its own.
  afterEach(async () => {
    await until(async () => (await parley.sql('SELECT FROM graphile_worker._private_jobs')).length === 0);
    await until(() => killReaders() === 0);
  });
  afterAll(() => web.stop());

  const link = ({ api }: TestWorkspace, name: string, path: string, signal?: AbortSignal) =>
    api.raw('/api/knowledge-base', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, baseUrl: web.url(path) }),
      signal,
    });

  test('is fetched when a reader process is free, so that many take no more memory than a few', async () => {
    const workspaces = [await parley.workspace(), await parley.workspace(), await parley.workspace()];
    const count = 4 * workspaces.length;

    const links = workspaces.flatMap((workspace) =>
      ['One', 'Two', 'Three', 'Four'].map((name) => link(workspace, name, '/held')),
    );
    for (let answered = 0; answered < count; answered++) {
      await until(() => held.length === Math.min(2, count - answered));
      held.shift()?.end(HOURS);
    }

    expect((await Promise.all(links)).map(({ status }) => status)).toEqual(Array(count).fill(201));
    expect(maxConcurrent).toBe(2);
  });

  test('whose client disconnects while it waits is never fetched', async () => {
    const workspace = await parley.workspace();
    const server = parley.app.getHttpServer() as Server;
    const slow = uploadSlow(workspace, 'Slow');
    await until(() => readers().length === 1);
    const client = new AbortController();
    const leaving = link(workspace, 'Left', '/hours', client.signal);
    const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];

    client.abort();
    await expect(leaving).rejects.toThrow();
    await (response.closed || once(response, 'close'));
    // The link waits in the same queue.
    const next = upload(workspace, 'Next');
    await once(server, 'request');
    killReaders();

    expect(await outcome(slow)).toEqual(readerFailed());
    expect((await next).status).toBe(201);
    expect(await readNames(workspace)).toEqual(['Next']);
    expect(web.requests).not.toContain('/hours');
  });

  test('whose client disconnects while it is fetched is no longer fetched', async () => {
    const workspace = await parley.workspace();
    const client = new AbortController();
    const leaving = link(workspace, 'Left', '/held', client.signal);
    const response = await until(() => held.pop());

    client.abort();

    await expect(leaving).rejects.toThrow();
    await (response.closed || once(response, 'close'));
    expect((await upload(workspace, 'Next')).status).toBe(201);
    expect(await readNames(workspace)).toEqual(['Next']);
  });
});
