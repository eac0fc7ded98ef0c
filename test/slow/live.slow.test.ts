import { GracefulClose } from '../../src/platform/http/graceful-close';
import { createAgent } from '../support/agents';
import { outcome, refused } from '../support/answers';
import { AgentCalls } from '../support/calls';
import { createCampaign, recipientsFile } from '../support/campaigns';
import { EventListener } from '../support/event-listener';
import { document, schemaErrors } from '../support/openapi';
import { TestParley, type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { TestWorker } from '../support/worker';

/** The data of the events as the OpenAPI document has it, by their names. */
const LIVE_EVENTS = document.components.schemas.LiveEventsDto;

describe('The stream of changes', () => {
  const parley = useOwnParley({ CAMPAIGN_INTERVAL_MS: '50' });
  const worker = useStarted(() => TestWorker.start(parley));
  const listeners: EventListener[] = [];
  let workspace: TestWorkspace;
  let calls: AgentCalls;

  beforeEach(async () => {
    workspace = await parley.workspace();
    calls = new AgentCalls(workspace.api, await createAgent(workspace));
  });
  afterEach(() => {
    const events = LIVE_EVENTS?.properties ?? {};
    for (const listener of listeners.splice(0)) {
      listener.close();
      for (const { event, data } of listener.events) {
        expect(Object.keys(events)).toContain(event);
        expect(schemaErrors(events[event] ?? {}, data)).toEqual([]);
      }
    }
  });

  async function listen(server = parley, to = workspace): Promise<EventListener> {
    const listener = await EventListener.open(server.url, to);
    listeners.push(listener);
    return listener;
  }

  test('sends the counts at once, and every status that a call takes', async () => {
    const listener = await listen();
    await until(() => listener.of('counts').length === 1);
    expect(listener.of('counts')).toEqual([{ queued: 0, accepted: 0, connected: 0 }]);

    const id = await calls.start();
    await until(() => listener.of('call').length === 1);
    const call = await (await worker.findOffer(id)).take();
    await until(() => listener.of('call').length === 2);
    await call.connected();
    await until(() => listener.of('call').length === 3);
    await call.ended();
    await until(() => listener.of('call').length === 4);

    const at = expect.any(String) as string;
    expect(listener.of('call')).toEqual(
      ['queued', 'accepted', 'connected', 'disconnected'].map((status) => ({ call_id: id, status, at })),
    );
    await until(() => listener.of('counts').length === 5);
    expect(listener.of('counts').slice(1)).toEqual([
      { queued: 1, accepted: 0, connected: 0 },
      { queued: 0, accepted: 1, connected: 0 },
      { queued: 0, accepted: 0, connected: 1 },
      { queued: 0, accepted: 0, connected: 0 },
    ]);
  });

  test('reports a call that ended between two polls', async () => {
    const listener = await listen();
    await until(() => listener.of('counts').length === 1);

    const id = await calls.start();
    await workspace.api.post(`/api/calls/${id}/hangup`);

    await until(() => listener.of('call').some(({ status }) => status === 'failed'));
    expect(listener.of('call').at(-1)).toMatchObject({ call_id: id, status: 'failed' });
  });

  test('reports a campaign that changed, or whose calls did', async () => {
    const listener = await listen();
    await until(() => listener.of('counts').length === 1);

    const campaignId = await createCampaign(workspace.api, calls.agentId, recipientsFile(1));

    await until(() => listener.of('campaign').length > 0);
    expect(listener.of('campaign')[0]).toEqual({ campaign_id: campaignId });
  });

  test('continues for the others when the first listener leaves', async () => {
    const [first, second] = [await listen(), await listen()];
    await until(() => first.of('counts').length === 1 && second.of('counts').length === 1);

    first.close();
    await first.end;
    const id = await calls.start();

    await until(() => second.of('call').length > 0);
    expect(second.of('call')[0]).toMatchObject({ call_id: id });
  });

  test('reports a call that a late report has corrected, however long ago it was accepted', async () => {
    const id = await calls.start();
    const call = await (await worker.findOffer(id)).take();
    await parley.sql(
      `UPDATE conversations SET status = 'failed', created_at = created_at - interval '1 hour', ended_at = now(),
              disconnect_reason = 'worker_lost', disconnected_by = 'system' WHERE id = $1`,
      [id],
    );
    const listener = await listen();
    await until(() => listener.of('counts').length === 1);

    await call.ended();

    await until(() => listener.of('call').length > 0);
    expect(listener.of('call')).toMatchObject([{ call_id: id, status: 'disconnected' }]);
  });

  test('answers HEAD at once, and holds no stream for it', async () => {
    const { status, headers } = await workspace.api.send('HEAD', '/api/live');

    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });

  test('reports nothing of another workspace', async () => {
    const stranger = await parley.workspace();
    const [own, others] = [await listen(), await listen(parley, stranger)];
    await until(() => own.of('counts').length === 1 && others.of('counts').length === 1);

    await calls.start();
    await until(() => own.of('call').length === 1);

    expect(others.events).toEqual([{ event: 'counts', data: { queued: 0, accepted: 0, connected: 0 } }]);
  });

  test('says within 15 seconds that the server is there', async () => {
    const listener = await listen();

    await until(() => listener.of('alive').length > 0);

    expect(listener.events).toEqual([
      { event: 'counts', data: { queued: 0, accepted: 0, connected: 0 } },
      { event: 'alive', data: {} },
    ]);
  });

  test('is ended at once by the stop of the server, and does not count as a cut request', async () => {
    const server = await TestParley.start({}, parley.database);
    const listener = await listen(server);
    await until(() => listener.of('counts').length === 1);

    const http = server.app.get(GracefulClose, { strict: false });
    await server.stop({ keepDatabase: true });

    expect([await listener.end, http.cutRequests]).toEqual(['ended', 0]);
  });

  test('is ended when its credential is revoked', async () => {
    const { keyId, apiKey } = (await workspace.api.post('/api/auth/api-keys', {})).body.data;
    const listener = await listen(parley, { ...workspace, apiKey });

    await workspace.api.delete(`/api/auth/api-keys/${keyId}`);

    expect(await listener.end).toBe('ended');
  });

  test('is limited to 100 for each workspace and process, and another one is accepted after one was closed', async () => {
    const opened = await Promise.all(Array.from({ length: 100 }, () => listen()));

    const refusal = refused(503, 'The workspace has too many open streams', {
      error: {
        details: '100 streams of this workspace are open, which is the most that this server accepts.',
      },
      error_code: 'WORKSPACE_BUSY',
    });
    expect(await outcome(workspace.api.get('/api/live'))).toEqual(refusal);
    opened[0]?.close();
    await until(async () => (await workspace.api.get('/api/live')).status === 200);
  });
});
