import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Child } from '../../support/child';
import { type Memory, memoryDuring } from '../../support/memory';
import type { Workspace } from '../../support/workspaces';
import type { Attack, Order, Report } from './attack';
import { ATTACKS } from './attacks';
import { Installation } from './installation';
import type { Timings } from './neighbour';

const UNDISTURBED_SECONDS = 2;

/** The server's resident memory. One attack took it to 4.3 GB. */
const MAX_MEGABYTES = 1_000;

/** After this time, the server processes the data that the attacker has sent. */
const BACKGROUND_AFTER_MS = 2_000;

/** The result of an attack. */
export interface Outcome {
  name: string;
  requests: number;
  answers: Record<string, number>;
  undisturbed: Timings;
  disturbed: Timings;
  memory: Memory;
  /** The milliseconds that the neighbour's background work took, before and during the attack. */
  background: { kind: string; before?: number; during?: number } | undefined;
  /** One line for each failure. An attack without failures has passed. */
  failures: string[];
}

/** Attacks a new server, and times the requests of the neighbour before and during the attack. */
export async function run(
  name: string,
  workspaces: [Workspace, Workspace],
  rabbitmqUrl: string | undefined,
  seconds: number,
): Promise<Outcome> {
  const attack = ATTACKS[name] as Attack;
  const installation = await Installation.start(workspaces, rabbitmqUrl, attack.settings);
  const attacker = new Child(join(__dirname, 'attacker.process.ts'), {});
  const order = (message: Order) => attacker.send(message);
  try {
    order({ prepare: name, target: installation.target });
    const prepared = (await attacker.message()) as Report;
    if (prepared !== 'ready') throw new Error(prepared.error);
    const { neighbour, server } = installation;
    const { background } = attack;
    const before = background && (await neighbour.backgroundWork(background));
    const undisturbed = await neighbour.requestsDuring(pause(UNDISTURBED_SECONDS * 1_000));
    const runAttack = async () => {
      order('run');
      await pause(seconds * 1_000);
      order('stop');
      return (await attacker.message()) as Exclude<Report, 'ready'>;
    };
    const attacking = runAttack();
    const [disturbed, memory, during] = await Promise.all([
      neighbour.requestsDuring(attacking),
      memoryDuring(server.api, () => attacking),
      background &&
        pause(BACKGROUND_AFTER_MS)
          .then(() => neighbour.backgroundWork(background))
          .catch((error: Error) => error),
    ]);
    const { requests, answers, bodies, error } = await attacking;
    const deadlocks = await installation.end();
    return {
      name,
      requests,
      answers,
      undisturbed,
      disturbed,
      memory,
      background: background && {
        kind: background,
        before,
        during: during instanceof Error ? undefined : during,
      },
      failures: [
        ...disturbed.failures,
        ...(during instanceof Error ? [`Its ${background} failed: ${during.message}`] : []),
        ...unexpected(answers, attack, bodies),
        ...(error ? [`The attack failed: ${error}`] : []),
        ...(deadlocks > 0 ? [`Postgres has ended ${deadlocks} deadlocks.`] : []),
        ...(memory.peak > MAX_MEGABYTES ? [`The server used ${Math.round(memory.peak)} MB.`] : []),
      ],
    };
  } finally {
    await attacker.kill();
    await installation.stop();
  }
}

/** An unexpected status, such as 500, is a failure too. */
const unexpected = (answers: Record<string, number>, attack: Attack, bodies: Record<string, string>) =>
  Object.keys(answers)
    .filter((status) => /^\d+$/.test(status) && !attack.expectedStatuses.includes(Number(status)))
    .map((status) => `The attacker got ${status}: ${bodies[status]}`);
