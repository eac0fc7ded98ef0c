import { startBare } from './bare';
import type { Bench, Benchmark } from './benchmark';
import { startBareCampaign, startParleyCampaign } from './start-campaign';
import { measure } from './measure';
import { startParley } from './parley';
import { untilQueued } from './queue';
import { cpuSum, printCost, printRatio } from './report';
import { interleave, purgeCalls, withServers } from './rounds';

/** The maximum of CAMPAIGN_CONCURRENCY: no call ends here, so a larger campaign would stop there. */
const RECIPIENTS = 10_000;

async function run(bench: Bench): Promise<void> {
  const settings = { CAMPAIGN_CONCURRENCY: `${RECIPIENTS}` };
  await withServers([startParley(bench, settings), startBare(bench)], async (...servers) => {
    const rounds = await interleave(bench, servers, async (server) => {
      const start = server === servers[0] ? startParleyCampaign : startBareCampaign;
      const round = await measure(bench.services, server, async () => {
        const [queued] = await Promise.all([
          untilQueued(bench, server, RECIPIENTS),
          start(bench, server, RECIPIENTS),
        ]);
        return queued;
      });
      await purgeCalls(bench, server);
      return round;
    });
    printRatio('campaign dispatch ÷ bare', 'recipients/s', rounds, ({ perSecond }) => perSecond);
    printRatio('CPU time with loading ÷ bare', 'µs a recipient', rounds, cpuSum);
    rounds.forEach(printCost);
  });
}

export const campaign: Benchmark = {
  name: 'campaign',
  title: `dispatching a campaign of ${RECIPIENTS.toLocaleString('en')} recipients`,
  run,
};
