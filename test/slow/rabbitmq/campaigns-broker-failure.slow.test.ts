import { SimulatedRuntime } from '../../../src/tools/simulated-runtime/simulated-runtime';
import { createAgent } from '../../support/agents';
import { campaignReached, createCampaign, readCampaign, recipientsFile } from '../../support/campaigns';
import { readLedger } from '../../support/ledger';
import { TestParley } from '../../support/parley';
import { rabbitmqUrl } from '../../support/rabbitmq';
import { TcpProxy } from '../../support/tcp-proxy';
import { until } from '../../support/until';

(globalThis.BROKER === 'rabbitmq' ? describe : describe.skip)(
  'A campaign whose broker is unavailable',
  () => {
    test('starts no calls, loses no accepted call, and continues when the broker is back', async () => {
      const proxy = await TcpProxy.to(rabbitmqUrl ?? '');
      const parley = await TestParley.start({
        RABBITMQ_URL: proxy.url,
        PUBLISH_TIMEOUT_MS: '300',
        // The time limit of single calls, which is shorter than the outage.
        CALL_TTL_SECONDS: '1',
        CAMPAIGN_INTERVAL_MS: '50',
        CAMPAIGN_CONCURRENCY: '5',
        SWEEP_INTERVAL_MS: '50',
      });
      try {
        const owner = await parley.workspace({ credits: 100 });
        const id = await createCampaign(owner.api, await createAgent(owner), recipientsFile(12));
        await campaignReached(owner.api, id, ({ progress }) => progress.queued === 5);
        await proxy.cut();
        // The state is that after a commit immediately before the outage, with none of the five delivered.
        await parley.sql('UPDATE conversations SET dispatched_at = NULL');
        const other = await createCampaign(owner.api, await createAgent(owner), recipientsFile(3));
        const [call] = await parley.sql<{ created_at: Date }>('SELECT created_at FROM conversations LIMIT 1');
        await until(() => Date.now() > (call?.created_at.getTime() ?? NaN) + 1_500);

        expect((await readCampaign(owner.api, id)).progress).toMatchObject({
          pending: 7,
          queued: 5,
          failed: 0,
        });
        const waiting = await campaignReached(owner.api, other, (campaign) => campaign.waiting !== null);
        expect(waiting).toMatchObject({
          status: 'running',
          waiting: { reason: 'broker_away' },
          progress: { pending: 3 },
        });

        await proxy.restore();
        const { broker, topology } = parley;
        const runtime = new SimulatedRuntime({ broker, topology, workerId: 'test', pace: 1 });
        await runtime.start();
        for (const each of [id, other]) {
          const done = await campaignReached(owner.api, each, ({ status }) => status === 'completed');
          expect(done.progress).toMatchObject({ disconnected: done.recipientCount });
        }
        expect((await readLedger(parley, owner.workspaceId)).credits).toBe(85);
        await runtime.stop();
      } finally {
        await parley.stop();
        await proxy.cut();
      }
    });
  },
);
