import { checkDials } from './call-invariants';
import { checkCredits } from './credit-invariants';
import type { Fault } from './fault';
import { FAULTS } from './faults';
import { Installation } from './installation';
import { type Mutation, MUTATIONS } from './mutation-list';
import { Numbers } from './numbers';
import { checkQueues } from './queue-invariants';
import { Report } from './report';
import { Round } from './round';
import type { Services } from './services';
import type { Workspace } from '../support/workspaces';
import { explain, type Violation } from './violation';

/** No number is before it. */
const FIRST_NUMBER = '+';

/** How many violations of a round are shown with all that is known. */
const EXPLAINED = 5;

/** Faults, one after the other, on an installation that goes on through all of them. */
export class Suite {
  readonly report = new Report();
  private readonly numbers = new Numbers();
  private installation: Installation | undefined;

  constructor(
    private readonly services: Services,
    private readonly workspaces: Workspace[],
  ) {}

  /** Strikes with a fault, after which everything must be in order again. */
  async run(name: string): Promise<void> {
    this.installation ??= await Installation.start(this.services, this.workspaces);
    const began = Date.now();
    const { round, violations } = await this.strike(name, this.installation);
    this.report.add(name, round, violations.length);
    const seconds = ((Date.now() - began) / 1_000).toFixed(1);
    console.log(`${name}: ${round.starts.length} calls in ${seconds} s`);
    if (violations.length === 0) return;
    for (const violation of violations.slice(0, EXPLAINED)) {
      console.log(await explain(this.installation, violation));
    }
    console.log(`The server's log ends:\n${this.installation.logTail()}`);
    // What is wrong now would be found again after every further fault.
    await this.stop();
  }

  /** Strikes a server that is broken on purpose, which must be noticed. */
  async mutate(name: string): Promise<void> {
    this.installation = await Installation.start(this.services, this.workspaces, name);
    const { fault, violation } = MUTATIONS[name] as Mutation;
    const { violations } = await this.strike(fault, this.installation);
    const sentences = violations.map(({ sentence }) => sentence);
    const isNoticed = sentences.some((sentence) => sentence.startsWith(violation));
    this.report.addMutation(name, isNoticed);
    console.log(`broken on purpose, ${name}: ${sentences.length} violations`);
    if (!isNoticed) console.log(sentences.slice(0, EXPLAINED).join('\n'));
    await this.stop();
  }

  /**
   * Looks at all rounds together, since one may have done something to the calls of another. Without its processes
   * nobody holds a message any more: what is in the queues now was forgotten.
   */
  async finish(): Promise<void> {
    if (!this.installation) return;
    await this.installation.killAll();
    const violations = [
      ...checkDials(this.installation.dialLog.read()),
      ...(await checkCredits(this.installation, FIRST_NUMBER)),
      ...(await checkQueues(this.installation)),
    ];
    this.report.addEnd(violations.length);
    for (const violation of violations) console.log(await explain(this.installation, violation));
    await this.stop();
  }

  private async stop(): Promise<void> {
    await this.installation?.stop();
    this.installation = undefined;
  }

  private async strike(name: string, installation: Installation) {
    const fault = FAULTS[name] as Fault;
    const round = new Round(installation, this.numbers, fault);
    try {
      await round.run(() => fault.strike(round));
      return { round, violations: await round.violations() };
    } catch (error) {
      const violations: Violation[] = [{ sentence: `The round failed: ${(error as Error).stack}` }];
      return { round, violations };
    }
  }
}
