import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Attack } from './attack';
import type { Attacker } from './attacker';

/** The endpoints that a workspace can have. */
const ENDPOINTS = 20;

const CALLS = 100;

/** Starts a receiver that never answers, and makes it the address of all endpoints. */
async function createEndpoints(attacker: Attacker): Promise<void> {
  const receiver = createServer().unref();
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  for (let number = 0; number < ENDPOINTS; number += 1) {
    const url = `http://127.0.0.1:${port}/${number}`;
    const answer = await attacker.send('POST', '/api/webhooks/endpoints', { url, events: ['*'] });
    if (answer?.status !== 201) throw new Error(`The endpoint was refused: ${JSON.stringify(answer?.body)}`);
    attacker.prepared.set(String(number), answer.body.data.endpoint_id as string);
  }
}

export const WEBHOOK_ATTACKS: Record<string, Attack> = {
  'twenty webhook endpoints that never answer, whose events are sent again': {
    expectedStatuses: [200, 202, 402, 403, 429, 503],
    background: 'webhook',
    prepare: createEndpoints,
    run: async (attacker) => {
      const { agentId } = attacker.target;
      await Promise.all(
        Array.from({ length: CALLS }, async () => {
          const started = await attacker.send('POST', `/api/agents/${agentId}/calls`, {
            to_number: '+15551234567',
          });
          const id = started?.body.data?.conversation_id as string | undefined;
          if (id) await attacker.send('POST', `/api/calls/${id}/hangup`, {});
        }),
      );
      const from = new Date(Date.now() - 3_600_000).toISOString();
      await Promise.all(
        [...attacker.prepared.values()].map(async (id) => {
          await attacker.send('PATCH', `/api/webhooks/endpoints/${id}`, { enabled: false });
          await attacker.send('PATCH', `/api/webhooks/endpoints/${id}`, { enabled: true });
          await attacker.send('POST', `/api/webhooks/endpoints/${id}/replay`, { from });
          await attacker.send('POST', `/api/webhooks/endpoints/${id}/test`);
        }),
      );
    },
  },
};
