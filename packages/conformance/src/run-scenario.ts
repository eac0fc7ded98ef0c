import { randomBytes } from 'node:crypto';
import { Command } from './command';
import { CannotRun, Skipped, Violation } from './errors';
import type { Interruption } from './interruption';
import type { Options } from './options';
import { Proxy } from './proxy';
import type { Result, ScenarioReport } from './report';
import { type Scenario, Stage } from './scenario';
import { Server } from './server';
import { topologyNames } from './topology';

/** A runtime that consumes nothing within this time is not judged. */
const CONSUME_SECONDS = 15;
const POLL_MS = 50;
const DEFAULT_CAPACITY = 1;
const DEFAULT_DRAIN_SECONDS = 5;

/** Runs one scenario with a runtime, exchanges and queues of its own. */
export async function runScenario(
  scenario: Scenario,
  options: Options,
  interruption: Interruption,
): Promise<ScenarioReport> {
  const startedAt = Date.now();
  const now = () => Date.now() - startedAt;
  const prefix = `conformance-${randomBytes(4).toString('hex')}`;
  const server = new Server(topologyNames(prefix), now);
  await server.start(options.url);
  try {
    const proxy = await Proxy.start(options.url, now);
    const command = new Command(options.command, {
      RABBITMQ_URL: proxy.url,
      BROKER_PREFIX: prefix,
      PARLEY_QUEUE: server.names.defaultQueue,
      PARLEY_CONFORMANCE: '1',
      PARLEY_CAPACITY: `${scenario.capacity ?? DEFAULT_CAPACITY}`,
      PARLEY_DRAIN_SECONDS: `${scenario.drainSeconds ?? DEFAULT_DRAIN_SECONDS}`,
    });
    try {
      // The pending operations fail with their server, which nobody waits for.
      await Promise.race([consuming(server, command), interruption.happened]);
      const stage = new Stage(server, proxy, command, now, options.suite);
      const judged = judge(scenario, stage, options.isStrict);
      const { result, seen } = await Promise.race([judged, interruption.happened]);
      const { id, suite, level, rule } = scenario;
      const { messages } = server;
      const isExpectedFailure = options.expectedFailures.has(id);
      const { output } = command;
      return {
        id,
        suite,
        level,
        rule,
        result,
        seen,
        messages,
        output,
        milliseconds: now(),
        isExpectedFailure,
      };
    } finally {
      await command.stop();
      await proxy.close();
    }
  } finally {
    await server.stop();
  }
}

async function consuming(server: Server, command: Command): Promise<void> {
  // Polls are counted, because a machine that is too busy for the runtime slows them down, too.
  for (let polls = 0; (await server.queue()).consumers === 0; polls++) {
    if (command.isOver)
      throw new CannotRun(`The command ended at once. It printed: ${command.output.trim()}`);
    if (polls * POLL_MS > CONSUME_SECONDS * 1_000)
      throw new CannotRun(
        `The command consumed nothing from ${server.names.defaultQueue} within ${CONSUME_SECONDS} s. It printed: ${command.output.trim()}`,
      );
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function judge(
  scenario: Scenario,
  stage: Stage,
  isStrict: boolean,
): Promise<{ result: Result; seen: string }> {
  try {
    await scenario.run(stage);
    return { result: 'passed', seen: '' };
  } catch (error) {
    if (error instanceof Skipped) return { result: 'skipped', seen: error.message };
    if (!(error instanceof Violation)) throw error;
    const isWarning = scenario.level === 'SHOULD' && !isStrict;
    return { result: isWarning ? 'warning' : 'failed', seen: error.message };
  }
}
