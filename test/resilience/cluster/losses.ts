import { Load } from '../harness/load';
import { PhoneNumbers } from '../harness/numbers';
import type { Cluster } from './cluster';
import type { Report } from './report';
import { until } from '../../support/until';

/** The calls that are accepted while the standby receives nothing. */
const UNSEEN = 100;
/** The calls that are accepted before a failover. */
const SEEN = 100;

/**
 * Fails over while a load is running, and counts the accepted calls that the new primary does not have.
 * @param cutsReplication whether the standby has received nothing for some time
 */
async function failOver(cluster: Cluster, isSynchronous: boolean, cutsReplication: boolean) {
  const { postgres, network } = cluster;
  await postgres.setSynchronous(isSynchronous);
  const load = new Load(cluster.agents, new PhoneNumbers(), cluster.receiver.url('/calls'));
  load.begin();
  await load.answered(SEEN);
  const before = load.starts.length;
  if (cutsReplication) {
    network.cutOffLink(postgres.standbyName, postgres.primaryName);
    if (isSynchronous) await load.refused(1).catch(() => undefined);
    else await load.answered(UNSEEN);
  }
  await postgres.killPrimary();
  await cluster.promote();
  await load.stop();
  const answered = load.starts.filter(({ outcome }) => outcome === 'answered').map(({ answer }) => answer);
  const stored = await cluster.rows<{ id: string }>('SELECT id FROM conversations WHERE id = ANY ($1)', [
    answered,
  ]);
  const meanwhile = load.starts.slice(before).filter(({ outcome }) => outcome === 'answered').length;
  await network.join(postgres.standbyName);
  await postgres.buildStandby();
  await until(async () => (await cluster.rows('SELECT 1')).length === 1);
  return { answered: answered.length, meanwhile, lost: answered.length - stored.length };
}

/** Measures what a failover loses. With a synchronous standby, every accepted call must be there. */
export async function measureLosses(cluster: Cluster, report: Report): Promise<void> {
  for (const isSynchronous of [true, false]) {
    for (const cutsReplication of [false, true]) {
      const { answered, lost } = await failOver(cluster, isSynchronous, cutsReplication);
      const standby = `${isSynchronous ? 'a synchronous' : 'an asynchronous'} standby`;
      const link = cutsReplication ? 'that received nothing any more' : 'that followed';
      const text = `failover to ${standby} ${link}: ${lost} of ${answered} accepted calls were lost`;
      console.log(text);
      report.addLoss(text, isSynchronous ? lost : 0);
    }
  }
}
