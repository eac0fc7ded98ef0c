import type { Attack, Order, Report } from './attack';
import { Attacker } from './attacker';
import { ATTACKS } from './attacks';

/** The attacker runs in its own process, so that its work does not slow down the neighbour's requests. */
let attack: Attack;
let attacker: Attacker;
let isStopped = false;

const report = (message: Report) => process.send?.(message);

async function prepare(name: string): Promise<void> {
  attack = ATTACKS[name] as Attack;
  await attack.prepare?.(attacker);
  report('ready');
}

async function run(): Promise<void> {
  // The requests of the preparation are not part of the attack.
  attacker.requests = 0;
  for (const status of Object.keys(attacker.answers)) delete attacker.answers[status];
  while (!isStopped) await attack.run(attacker);
  const { requests, answers, bodies } = attacker;
  report({ requests, answers, bodies });
}

function fail(error: unknown): void {
  const { requests, answers, bodies } = attacker;
  report({ requests, answers, bodies, error: (error as Error).stack });
}

process.on('disconnect', () => process.exit());
process.on('message', (order: Order) => {
  if (order === 'stop') isStopped = true;
  else if (order === 'run') void run().catch(fail);
  else {
    attacker = new Attacker(order.target);
    void prepare(order.prepare).catch(fail);
  }
});
