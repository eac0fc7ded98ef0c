import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createAgent } from '../../support/agents';
import { contractErrors } from '../../support/asyncapi';
import { AgentCalls } from '../../support/calls';
import { useOwnParley } from '../../support/parley';
import { findPython, PythonProcess } from '../../support/python-processes';
import { rabbitmqUrl } from '../../support/rabbitmq';
import { until } from '../../support/until';
import { WireTap } from '../../support/wire-tap';

const WORKER = join(__dirname, '../../../examples/worker.py');
/** The worker as it was before transcripts, incoming calls and hellos. */
const OLD_WORKER = join(__dirname, 'old-worker.py');

const onRabbitmq = globalThis.BROKER === 'rabbitmq';
const python = onRabbitmq ? findPython() : undefined;

if (!onRabbitmq) test.skip('The worker in Python needs RabbitMQ', () => undefined);
else if (!python) test.skip('The worker in Python needs a python3 with pika', () => undefined);
else {
  describe('The worker in Python', () => {
    const prefix = `test-${randomBytes(6).toString('hex')}`;
    const parley = useOwnParley({ BROKER_PREFIX: prefix });
    const workers: PythonProcess[] = [];
    let tap: WireTap;

    beforeAll(async () => {
      tap = await WireTap.on(parley, [{ exchange: parley.topology.events, routingKey: 'call.#' }]);
    });
    afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.stop())));
    afterAll(() => tap.close());

    function startWorker(program: string, ...args: string[]) {
      const env = { RABBITMQ_URL: rabbitmqUrl ?? '', PARLEY_PREFIX: prefix };
      const worker = new PythonProcess(python as string, program, env, ...args);
      workers.push(worker);
      return worker;
    }

    async function frontDesk() {
      const workspace = await parley.workspace({ credits: 20 });
      const agentId = await createAgent(workspace, {
        name: 'Front desk',
        greeting: 'Good day, {{customer}}!',
      });
      return { workspace, agentId, calls: new AgentCalls(workspace.api, agentId) };
    }

    test('conducts one call after the other and reports them', async () => {
      const worker = startWorker(WORKER);
      const { workspace, calls } = await frontDesk();
      const request = { dynamic_variables: { customer: 'Ada' }, customer_name: 'Ada Lovelace' };

      const [first, second] = [await calls.start(request), await calls.start()];

      expect(await calls.reached(first, 'disconnected').catch(worker.explain)).toMatchObject({
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
      const transcript = await until(async () => {
        const { body } = await workspace.api.get(`/api/calls/${first}/transcript`);
        return (body.data as { complete: boolean }).complete && body.data;
      });
      expect(transcript.turns).toMatchObject([
        { sequence: 1, speaker: 'agent', text: 'Good day, Ada!' },
        { sequence: 2, speaker: 'agent', text: 'Is this Ada Lovelace?' },
        { sequence: 3, speaker: 'agent', text: 'Thank you. Goodbye!' },
      ]);
      expect([...tap.of(first), ...tap.of(second)].flatMap(contractErrors)).toEqual([]);
      expect(worker.output).toMatch(
        /^Dialling \+15551234567 as Front desk\n {2}Good day, Ada!\n {2}Is this Ada Lovelace\?\n/,
      );
      expect((await workspace.api.get('/api/workspace')).body).toMatchObject({ data: { credits: 18 } });
      const { workers: seen } = (await workspace.api.get('/api/runtimes')).body.data as { workers: object[] };
      expect(seen).toContainEqual(expect.objectContaining({ name: 'worker.py', capacity: 1 }));
    });

    test('answers a call that reaches it, or reports why not', async () => {
      const { workspace, agentId } = await frontDesk();
      const number = '+15557001122';
      await workspace.api.put(`/api/agents/${agentId}/phone-number`, { phone_number: number });

      const answering = startWorker(WORKER, '--incoming', number, '+15551234567');
      const refused = startWorker(WORKER, '--incoming', '+15557001123');

      expect(await answering.ended()).toBe(0);
      expect(answering.output).toMatch(new RegExp(`^Answering \\${number} as Front desk\n`));
      expect(await refused.ended()).toBe(1);
      expect(refused.output).toBe('Refused: unknown_number\n');
      const call = await until(async () => {
        const { body } = await workspace.api.get('/api/calls?status=disconnected');
        return (body.data as object[])[0];
      });
      expect(call).toMatchObject({ direction: 'inbound', to_number: number, from_number: '+15551234567' });
    });

    test('of an older release works unchanged beside a new one', async () => {
      const [older, newer] = [startWorker(OLD_WORKER), startWorker(WORKER)];
      await until(async () => {
        const figures = await parley.broker.queueFigures();
        return figures.find(({ name }) => name === parley.topology.callsQueue)?.consumers === 2;
      });
      const { calls, workspace } = await frontDesk();

      const ids = await Promise.all(Array.from({ length: 8 }, () => calls.start()));
      for (const id of ids) await calls.reached(id, 'disconnected').catch(older.explain);

      for (const { output } of [older, newer]) expect(output).toMatch(/^Dialling /);
      expect(`${older.output}${newer.output}`.match(/Dialling/g)).toHaveLength(8);
      expect((await workspace.api.get('/api/workspace')).body).toMatchObject({ data: { credits: 12 } });
    });
  });
}
