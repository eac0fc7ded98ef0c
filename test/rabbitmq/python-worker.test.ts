import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createAgent } from '../support/agents';
import { contractErrors } from '../support/asyncapi';
import { AgentCalls } from '../support/calls';
import { useParley } from '../support/parley';
import { rabbitmqUrl } from '../support/rabbitmq';
import { WireTap } from '../support/wire-tap';

const WORKER = join(__dirname, '../../examples/worker.py');

const findPython = () =>
  ['python3', '/usr/bin/python3'].find((command) => spawnSync(command, ['-c', 'import pika']).status === 0);

const onRabbitmq = globalThis.BROKER === 'rabbitmq';
const python = onRabbitmq ? findPython() : undefined;

if (!onRabbitmq) test.skip('The worker in Python needs RabbitMQ', () => undefined);
else if (!python) test.skip('The worker in Python needs a python3 with pika', () => undefined);
else {
  describe('The worker in Python', () => {
    const prefix = `test-${randomBytes(6).toString('hex')}`;
    const parley = useParley({ BROKER_PREFIX: prefix });
    let worker: ChildProcess;
    let output = '';
    let tap: WireTap;

    beforeAll(async () => {
      tap = await WireTap.on(parley, [{ exchange: parley.topology.events, routingKey: 'call.#' }]);
      worker = spawn(python, [WORKER], {
        env: { ...process.env, RABBITMQ_URL: rabbitmqUrl, PARLEY_PREFIX: prefix },
      });
      worker.stdout?.on('data', (chunk) => (output += String(chunk)));
      worker.stderr?.on('data', (chunk) => (output += String(chunk)));
    });

    afterAll(async () => {
      if (worker.exitCode === null && worker.kill()) await once(worker, 'exit');
      await tap.close();
    });

    test('conducts one call after the other and reports them', async () => {
      const workspace = await parley.workspace({ credits: 10 });
      const agentId = await createAgent(workspace, {
        name: 'Front desk',
        greeting: 'Good day, {{customer}}!',
      });
      const calls = new AgentCalls(workspace.api, agentId);
      const request = { dynamic_variables: { customer: 'Ada' }, customer_name: 'Ada Lovelace' };

      const [first, second] = [await calls.start(request), await calls.start()];
      const conversation = calls.reached(first, 'disconnected').catch((error: unknown) => {
        throw new Error(`${String(error)}\nThe output of the worker: ${output}`);
      });

      expect(await conversation).toMatchObject({
        status: 'disconnected',
        disconnect_reason: 'agent_hangup',
        disconnected_by: 'agent',
        metadata: {
          summary: 'The agent opened with “Good day, Ada!”.',
          process_compliance: '',
          outcome: 'completed',
        },
      });
      await calls.reached(second, 'disconnected');
      expect([...tap.of(first), ...tap.of(second)].flatMap(contractErrors)).toEqual([]);
      expect(output).toMatch(
        /^Dialling \+15551234567 as Front desk\n {2}Good day, Ada!\n {2}Is this Ada Lovelace\?\n/,
      );
      expect((await workspace.api.get('/api/workspace')).body).toMatchObject({ data: { credits: 8 } });
    });
  });
}
