import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RabbitmqBroker } from '../../../src/platform/messaging/rabbitmq.broker';
import { topologyNames } from '../../../src/platform/messaging/topology';
import { OfferedCall, TakenCall } from '../../support/worker';
import type { Attack } from './attack';
import type { Attacker } from './attacker';

const LARGE_ANSWER = JSON.stringify('x'.repeat(64 * 1024 - 2));

const ADDRESS = 'address of the shop';
const IDS = ['silent', 'large'] as const;

/** Starts a shop that does not answer at `/silent`, and has a large answer elsewhere, and a tool for each. */
async function createTools(attacker: Attacker): Promise<void> {
  const shop = createServer((request, response) => {
    if (request.url !== '/silent') response.end(LARGE_ANSWER);
  }).unref();
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  const { port } = shop.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;
  attacker.prepared.set(ADDRESS, address);
  for (const name of IDS) {
    const answer = await attacker.send('POST', '/api/tools', {
      ...{ name, description: 'A tool.', url: `${address}/${name}`, timeout_ms: 60_000 },
      parameters: { type: 'object', additionalProperties: true },
    });
    if (answer?.status !== 201) throw new Error(`The tool was refused: ${JSON.stringify(answer?.body)}`);
    attacker.prepared.set(name, answer.body.data.tool_id as string);
  }
}

const BROKER_TIMEOUT_MS = 5_000;
const HEARTBEAT_MS = 2_000;
const CALL = 'id of the call';
const TOKEN = 'credential of the call';

/** Takes a call whose agent has the tools, as a runtime does. */
async function takeCall(attacker: Attacker): Promise<void> {
  await createTools(attacker);
  const { agentId, rabbitmqUrl = '', brokerPrefix } = attacker.target;
  const topology = topologyNames(brokerPrefix);
  const urls = [rabbitmqUrl];
  const broker = new RabbitmqBroker({ urls, topology, publishTimeoutMs: BROKER_TIMEOUT_MS, declares: false });
  await broker.open();
  await attacker.send('PUT', `/api/agents/${agentId}`, { type: 'outbound', actions: [...IDS] });
  const offered = new Promise<OfferedCall>((resolve) => {
    void broker.consume({ queue: topology.callsQueue, prefetch: 1 }, (delivery) =>
      resolve(new OfferedCall({ broker, topology }, delivery)),
    );
  });
  await attacker.send('POST', `/api/agents/${agentId}/calls`, { to_number: '+15551234567' });
  const offer = await offered;
  const { api, token } = (await offer.claim()).body;
  const { conversation_id: id } = offer.start;
  const call = new TakenCall({ broker, topology }, id, token);
  setInterval(() => void call.heartbeat().catch(() => undefined), HEARTBEAT_MS).unref();
  attacker.prepared.set(CALL, id);
  attacker.prepared.set(TOKEN, api.token);
}

/** Sends a request as the runtime of the call, and does not wait for more than some seconds. */
function asRuntime(attacker: Attacker, method: string, path: string, body?: object) {
  const headers = {
    authorization: `Bearer ${attacker.prepared.get(TOKEN)}`,
    'content-type': 'application/json',
  };
  const url = `/api/calls/${attacker.prepared.get(CALL)}/tools/${path}`;
  return attacker.raw(url, { method, headers, body: body && JSON.stringify(body) }, 5_000);
}

const askThousandTimes = (attacker: Attacker, name: (typeof IDS)[number], body: object) =>
  Promise.all(
    Array.from({ length: 1_000 }, () =>
      attacker.json('POST', `/api/tools/${attacker.prepared.get(name)}/test`, JSON.stringify(body), 5_000),
    ),
  );

export const TOOL_ATTACKS: Record<string, Attack> = {
  'a tool that never answers': {
    expectedStatuses: [200, 429, 503],
    prepare: createTools,
    run: async (attacker) => void (await askThousandTimes(attacker, 'silent', { arguments: {} })),
  },

  'tools with answers of 64 KB': {
    expectedStatuses: [200, 429, 503],
    prepare: createTools,
    run: async (attacker) => void (await askThousandTimes(attacker, 'large', { arguments: {} })),
  },

  'a call that asks a thousand times, and waits a thousand times': {
    expectedStatuses: [200, 429, 503],
    needsRabbitmq: true,
    prepare: takeCall,
    run: async (attacker) => {
      const ask = (number: number, name: (typeof IDS)[number], wait_ms: number) =>
        asRuntime(attacker, 'POST', name, { arguments: { number }, wait_ms });
      const answer = await ask(0, 'silent', 0);
      const id = answer?.body.data?.invocation_id as string | undefined;
      await Promise.all(
        Array.from({ length: 1_000 }, (_, number) => [
          ask(number, number % 2 ? 'silent' : 'large', 60_000),
          ...(id ? [asRuntime(attacker, 'GET', `invocations/${id}?wait_ms=60000`)] : []),
        ]).flat(),
      );
    },
  },

  'a server of tools that never answers': {
    expectedStatuses: [422, 429, 503],
    prepare: createTools,
    run: async (attacker) => {
      const url = `${attacker.prepared.get(ADDRESS)}/silent`;
      const server = { kind: 'mcp', description: 'A server.', url };
      await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          attacker.send('POST', '/api/tools', { ...server, name: `server_${index}`, tools: ['any'] }),
        ),
      );
    },
  },
};
