import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Load } from '../resilience/harness/load';
import { PhoneNumbers } from '../resilience/harness/numbers';
import { ApiClient } from '../support/client';

describe('The load of the suites', () => {
  const held: ServerResponse[] = [];
  let isEnding = false;
  const server = createServer((request, response) => {
    request.resume();
    if (isEnding) response.destroy();
    else if (request.url?.includes('frozen')) held.push(response);
    else {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data: { conversation_id: 'a' } }));
    }
  });

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  it('goes on beside requests that get no answer, and waits for these at its end', async () => {
    const api = new ApiClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {});
    const agents = ['frozen', 'going'].map((agentId) => ({ api, workspaceId: '', agentId }));
    const load = new Load(agents, new PhoneNumbers(), 'http://127.0.0.1', 200);
    load.begin();
    await load.answered(100);
    expect(held.length).toBeGreaterThan(24);

    const settled = load.settled();
    const before = Date.now();
    const sent = held.length;
    for (const response of held) response.destroy();
    await settled;
    const unanswered = load.starts.filter(({ outcome, at }) => outcome === 'unanswered' && at <= before);
    expect(unanswered.length).toBeGreaterThanOrEqual(sent);

    const stopped = load.stop();
    isEnding = true;
    server.closeAllConnections();
    await stopped;
  });
});
