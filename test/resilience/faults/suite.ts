import { checkDials } from '../harness/call-invariants';
import { checkCredits } from '../harness/credit-invariants';
import { checkDeadlocks } from './deadlock-invariants';
import type { Fault } from './fault';
import { FAULTS } from './faults';
import { Installation } from './installation';
import { type Mutation, MUTATIONS } from './mutation-list';
import { PhoneNumbers } from '../harness/numbers';
import { checkQueues } from '../harness/queue-invariants';
import { Report } from './report';
import { Round } from './round';
import type { Services } from './services';
import type { Workspace } from '../../support/workspaces';
import { explain, type Violation } from '../harness/violation';

/** This text is less than every phone number. */
const FIRST_NUMBER = '+';

/** The number of violations of a round that are shown with details. */
const MAX_EXPLAINED = 5;

/** A fault does not always hit the place that a mutation breaks, such as the reply to a claim in transit. */
const MUTATION_ROUNDS = 40;

const MUTATION_RECIPIENTS = 100;

/** Injects faults one after the other into one installation. */
export class Suite {
  readonly report = new Report();
  private readonly numbers = new PhoneNumbers();
  private installation: Installation | undefined;

  constructor(
    private readonly services: Services,
    private readonly workspaces: Workspace[],
  ) {}

  /**
   * Injects a fault. All invariants must hold afterwards.
   * @param recipients the number of recipients of the campaigns that are steered meanwhile
   */
  async run(name: string, recipients: number): Promise<void> {
    this.installation ??= await Installation.start(this.services, this.workspaces);
    const startedAt = Date.now();
    const { round, violations } = await this.inject(name, this.installation, recipients);
    this.report.add(name, round, violations.length);
    const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
    console.log(`${name}: ${round.starts.length} calls in ${seconds} s`);
    if (violations.length === 0) return;
    for (const violation of violations.slice(0, MAX_EXPLAINED)) {
      console.log(await explain(this.installation, violation));
    }
    console.log(`The server's log ends:\n${this.installation.logTail()}`);
    // Further faults would report the same violations again.
    await this.stop();
  }

  /** Injects a fault into a server that is broken on purpose. The suite must detect that. */
  async mutate(name: string): Promise<void> {
    this.installation = await Installation.start(this.services, this.workspaces, name);
    const { fault, violation } = MUTATIONS[name] as Mutation;
    let messages: string[] = [];
    const isDetected = () => messages.some((message) => message.startsWith(violation));
    for (let round = 1; round <= MUTATION_ROUNDS && !isDetected(); round += 1) {
      const { violations } = await this.inject(fault, this.installation, MUTATION_RECIPIENTS);
      messages = violations.map(({ message }) => message);
    }
    this.report.addMutation(name, isDetected());
    console.log(`broken on purpose, ${name}: ${messages.length} violations`);
    if (!isDetected()) console.log(messages.slice(0, MAX_EXPLAINED).join('\n'));
    await this.stop();
  }

  /**
   * Checks all rounds together, because one may have affected the calls of another. No process holds a message any more,
   * so each message that is still in a queue was lost.
   */
  async finish(): Promise<void> {
    if (!this.installation) return;
    await this.installation.killAll();
    const violations = [
      ...checkDials(this.installation.dialLog.read(), this.numbers.retried),
      ...(await checkCredits(this.installation, FIRST_NUMBER)),
      ...(await checkQueues(this.installation)),
      ...(await checkDeadlocks(this.installation)),
    ];
    this.report.addEnd(violations.length);
    for (const violation of violations) console.log(await explain(this.installation, violation));
    await this.stop();
  }

  private async stop(): Promise<void> {
    await this.installation?.stop();
    this.installation = undefined;
  }

  private async inject(name: string, installation: Installation, recipients: number) {
    const fault = FAULTS[name] as Fault;
    const round = new Round(installation, this.numbers, fault, recipients);
    try {
      await round.run(() => fault.inject(round));
      return { round, violations: await round.violations() };
    } catch (error) {
      const violations: Violation[] = [{ message: `The round failed: ${(error as Error).stack}` }];
      return { round, violations };
    }
  }
}
