import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../support/until';
import type { Installation } from './installation';
import type { AgentClient } from './start';
import type { Violation } from './violation';

const RESTORE_EVERY_MS = 10;
const ANSWER_TIMEOUT_MS = 10_000;
const RECOVERY_TIMEOUT_MS = 20_000;

const VERSIONS = `
  SELECT version, restored_from AS copied, deployment_version AS current FROM agent_versions JOIN agents ON agents.id = agent_id
  WHERE agent_id = $1 AND version > $2 AND restored_from IS NOT NULL ORDER BY version`;

/** A request to restore a version, with the versions that its answers named. */
interface Restore {
  /** undefined: it cannot be repeated */
  key: string | undefined;
  /** What it restores. */
  version: number;
  answers: Set<number>;
}

/** Restores two versions of an agent in turn, so that each restore is a change. */
export class Restores {
  private readonly sent: Restore[] = [];
  private readonly agent: AgentClient;
  private newest = 0;

  constructor(private readonly installation: Installation) {
    this.agent = installation.agents[0] as AgentClient;
  }

  /** Restores until this has happened. */
  async during(event: Promise<void>): Promise<void> {
    this.newest = await this.makeAnother();
    let isOver = false;
    const over = event.finally(() => (isOver = true));
    while (!isOver) {
      const version = this.sent.length % 2 === 0 ? 1 : this.newest;
      const key = this.sent.length % 4 < 2 ? `restore ${this.newest} ${this.sent.length}` : undefined;
      const restore = { key, version, answers: new Set<number>() };
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

  /** Each request made one version at most, and none that is like the version before it. */
  async violations(): Promise<Violation[]> {
    if (this.sent.length === 0) return [];
    const { agentId } = this.agent;
    const rows = await this.installation.rows<{ version: number; copied: number; current: number }>(
      VERSIONS,
      [agentId, this.newest],
    );
    const stored = rows.map(({ version }) => version);
    const answered = [...new Set(this.sent.flatMap(({ answers }) => [...answers]))];
    const unanswered = this.sent.filter(({ answers }) => answers.size === 0).length;
    const problems = [
      ...(this.sent.some(({ answers }) => answers.size > 1)
        ? ['One request to restore a version made two']
        : []),
      ...(rows.every(({ copied }, index) => copied !== (rows[index - 1]?.copied ?? this.newest))
        ? []
        : ['A restore that changed nothing made a version']),
      ...(answered.every((version) => [this.newest, ...stored].includes(version))
        ? []
        : ['A restored version was lost']),
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

  /** Changes the agent. @returns its version then */
  private async makeAnother(): Promise<number> {
    const { agentId, api } = this.agent;
    await api.put(`/api/agents/${agentId}`, { type: 'outbound', greeting: `Hello ${randomUUID()}` });
    const { body } = await api.get(`/api/agents/${agentId}/versions?limit=1`);
    return (body.data as { version: number }[])[0]?.version ?? 0;
  }

  /** @returns whether it was answered */
  private async send({ key, version, answers }: Restore): Promise<boolean> {
    const init = {
      method: 'POST',
      headers: { ...(key !== undefined && { 'idempotency-key': key }) },
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    };
    const path = `/api/agents/${this.agent.agentId}/versions/${version}/restore`;
    // Without an answer: the server was killed.
    const answer = await this.agent.api.raw(path, init).catch(() => undefined);
    if (answer?.status !== 201) return false;
    answers.add(answer.body.data.version as number);
    return true;
  }
}
