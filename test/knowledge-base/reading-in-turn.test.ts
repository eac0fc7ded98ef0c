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

/** Is read until `killReaders()`. */
const uploadSlow = ({ api }: TestWorkspace, name: string) =>
  postForm(api, fileForm({ fields: { name }, name: 'slow.pdf', content: slowPdf() }));

const namesOf = async ({ api }: TestWorkspace): Promise<string[]> => {
  const { body } = await api.get('/api/knowledge-base');
  return (body as { data: { name: string }[] }).data.map(({ name }) => name);
};

const readerFailed = () =>
  refused(500, 'Internal server error', {
    error: {
      details:
        'The server failed while it read the document: the process that read it ended with SIGKILL. It may be sent again.',
    },
  });

describe('A document that waits for its turn to be read', () => {
  const parley = useParley({ DOCUMENT_WAIT_MS: '1' });

  test('is refused after a time, and does not keep other workspaces waiting', async () => {
    const [busy, other] = [await parley.workspace(), await parley.workspace()];
    const uploads = ['One', 'Two'].map((name) => uploadSlow(busy, name));

    const late = await Promise.race(uploads);
    expect((await upload(other, 'Hours')).status).toBe(201);
    await until(() => readers().length === 2);
    killReaders();

    expect(late.headers.get('retry-after')).toBe('1');
    expect(await outcome(Promise.resolve(late))).toEqual(
      refused(503, 'Too many documents are being read', {
        error: { details: 'It was not the turn of this one within 0.001 s; send it again later.' },
      }),
    );
    const outcomes = await Promise.all(uploads.map(outcome));
    expect(outcomes.filter(({ status }) => status !== 503)).toEqual([readerFailed()]);
    expect(await namesOf(busy)).toEqual([]);
  });
});

describe('A document whose client hangs up', () => {
  const parley = useParley({ ALLOW_PRIVATE_ADDRESSES: 'true' });
  let web: OddServer;

  beforeAll(async () => {
    web = await OddServer.start({ '/hours': answering(HOURS, { 'content-type': 'text/plain' }) });
  });
  afterAll(() => web.stop());

  test('loses its turn', async () => {
    const workspace = await parley.workspace();
    const server = parley.app.getHttpServer() as Server;
    const slow = uploadSlow(workspace, 'Slow');
    await until(() => readers().length === 1);
    const client = new AbortController();
    const leaving = workspace.api.raw('/api/knowledge-base', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Left', baseUrl: web.url('/hours') }),
      signal: client.signal,
    });
    const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    await web.asked('/hours');

    client.abort();
    await expect(leaving).rejects.toThrow();
    await (response.closed || once(response, 'close'));
    // Behind the one that left, in the same line.
    const next = upload(workspace, 'Next');
    await once(server, 'request');
    killReaders();

    expect(await outcome(slow)).toEqual(readerFailed());
    expect((await next).status).toBe(201);
    expect(await namesOf(workspace)).toEqual(['Next']);
  });
});
