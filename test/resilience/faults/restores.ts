import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../support/until';
import type { Installation } from './installation';
import type { AgentClient } from '../harness/start';
import type { Violation } from '../harness/violation';

const RESTORE_EVERY_MS = 10;
const ANSWER_TIMEOUT_MS = 10_000;
const RECOVERY_TIMEOUT_MS = 20_000;

const VERSIONS = `
  SELECT version, deployment_version AS current FROM agent_versions JOIN agents ON agents.id = agent_id
  WHERE agent_id = $1 AND version > $2 AND restored_from = $3 ORDER BY version`;

/** A request to restore a version, with the versions that its answers named. */
interface Restore {
  /** undefined: it cannot be repeated */
  key: string | undefined;
  answers: Set<number>;
}

/** Restores the first version of an agent, one time after the other. */
export class Restores {
  private readonly sent: Restore[] = [];
  private readonly agent: AgentClient;
  private newest = 0;

  constructor(private readonly installation: Installation) {
    this.agent = installation.agents[0] as AgentClient;
  }

  /** Restores until this has happened. */
  async during(event: Promise<void>): Promise<void> {
    const { body } = await this.agent.api.get(`/api/agents/${this.agent.agentId}/versions?limit=1`);
    this.newest = (body.data as { version: number }[])[0]?.version ?? 0;
    let isOver = false;
    const over = event.finally(() => (isOver = true));
    while (!isOver) {
      const key = this.sent.length % 2 === 0 ? `restore ${this.newest} ${this.sent.length}` : undefined;
      const restore = { key, answers: new Set<number>() };
      this.sent.push(restore);
      await this.send(restore);
      await pause(RESTORE_EVERY_MS);
    }
    await over;
  }

  /** Repeats the requests that have a key, until each is answered. */
  async repeat(): Promise<void> {
    for (const restore of this.sent.filter(({ key }) => key !== undefined)) {
      await until(() => this.send(restore), RECOVERY_TIMEOUT_MS);
    }
  }

  /** Checks that each request with a key made one version, and each other request one at most. */
  async violations(): Promise<Violation[]> {
    if (this.sent.length === 0) return [];
    const { agentId } = this.agent;
    const rows = await this.installation.rows<{ version: number; current: number }>(VERSIONS, [
      agentId,
      this.newest,
      1,
    ]);
    const stored = rows.map(({ version }) => version);
    const answered = this.sent.flatMap(({ answers }) => [...answers]);
    const unanswered = this.sent.filter(({ answers }) => answers.size === 0).length;
    const problems = [
      ...(this.sent.some(({ answers }) => answers.size > 1)
        ? ['One request to restore a version made two']
        : []),
      ...(new Set(answered).size === answered.length ? [] : ['Two requests restored the same version']),
      ...(answered.every((version) => stored.includes(version)) ? [] : ['A restored version was lost']),
      ...(stored.length <= answered.length + unanswered ? [] : ['A version was restored twice']),
      ...(stored.every((version, index) => version === this.newest + index + 1)
        ? []
        : ['The versions of an agent have a gap']),
      ...(rows.every(({ current }) => current === stored.at(-1))
        ? []
        : ['The newest version is not the current one']),
    ];
    const { newest } = this;
    return problems.map((problem) => ({
      message: `${problem}: ${JSON.stringify({ newest, stored, answered, unanswered })}`,
    }));
  }

  /** @returns whether it was answered */
  private async send({ key, answers }: Restore): Promise<boolean> {
    const init = {
      method: 'POST',
      headers: { ...(key !== undefined && { 'idempotency-key': key }) },
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    };
    const path = `/api/agents/${this.agent.agentId}/versions/1/restore`;
    // There is no answer, because the server was killed.
    const answer = await this.agent.api.raw(path, init).catch(() => undefined);
    if (answer?.status !== 201) return false;
    answers.add(answer.body.data.version as number);
    return true;
  }
}
