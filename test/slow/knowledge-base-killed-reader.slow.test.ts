import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { outcome, refused } from '../support/answers';
import { slowPdf } from '../support/documents';
import { noJobs, retryJob } from '../support/failed-jobs';
import { createdId, fileForm, HOURS, indexed, postForm, readKnowledgeBase } from '../support/knowledge-bases';
import { answering, ScriptedServer } from '../support/scripted-server';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { killReaders, readers } from '../support/reader-processes';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';

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
  const parley = useOwnParley({ DOCUMENT_WAIT_MS: '1' });

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
  const parley = useOwnParley({ ALLOW_PRIVATE_ADDRESSES: 'true' });
  const web = useStarted(() =>
    ScriptedServer.start({
      '/hours': answering(HOURS, { 'content-type': 'text/plain' }),
      '/slow': answering(slowPdf(), { 'content-type': 'application/pdf' }),
    }),
  );

  test('whose client disconnects while it waits is never fetched', async () => {
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
    // The next test would take a remaining reader process for its own.
    await noJobs(parley);
    await until(() => killReaders() === 0);
  });

  /** Kills the reader process of the slow link, once it has been fetched this often. */
  const killReader = async (times: number) => {
    await until(() => web.requests.filter((asked) => asked === '/slow').length === times);
    await until(async () => {
      killReaders();
      const [job] = await parley.sql('SELECT FROM graphile_worker._private_jobs WHERE locked_at IS NOT NULL');
      return !job;
    });
  };

  test('beside the first is retried when its reader process is killed, up to the last attempt', async () => {
    const workspace = await parley.workspace();
    const body = { name: 'Site', baseUrl: web.url('/hours'), urls: [web.url('/slow')] };
    const id = createdId(await workspace.api.post('/api/knowledge-base', body));

    await killReader(1);
    const { sources } = (await readKnowledgeBase(workspace, id)) as { sources: object[] };
    expect(sources[1]).toMatchObject({ status: 'processing' });
    await retryJob(parley, 7);
    await killReader(2);

    expect(await indexed(workspace, id)).toMatchObject({
      sources: [
        { status: 'completed' },
        { status: 'failed', metadata: { reason: 'the process that read it ended with SIGKILL' } },
      ],
    });
  });
});
