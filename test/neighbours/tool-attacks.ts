import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
