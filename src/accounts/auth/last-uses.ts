import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { Credential } from '../../platform/http/access';
import { LastUsesRepository, type Use } from './last-uses.repository';

const FLUSH_MS = 60_000;

/** The number of rows of one statement. */
const BATCH = 1_000;

/** Collects when keys, sessions and people were last seen, and writes it once a minute, apart from the requests. */
@Injectable()
export class LastUses implements BeforeApplicationShutdown {
  private readonly logger = new Logger(LastUses.name);
  private readonly timer = setInterval(() => void this.flush(), FLUSH_MS).unref();
  private keys = new Map<string, number>();
  private sessions = new Map<string, number>();
  private people = new Map<string, number>();

  constructor(private readonly repository: LastUsesRepository) {}

  note({ keyId, sessionId, personId }: Credential): void {
    const now = Date.now();
    if (keyId !== undefined) this.keys.set(keyId, now);
    if (sessionId !== undefined) this.sessions.set(sessionId, now);
    if (personId !== undefined) this.people.set(personId, now);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  /** A batch that cannot be written is left out: the uses of the next minute follow. */
  async flush(): Promise<void> {
    const { keys, sessions, people } = this;
    this.keys = new Map();
    this.sessions = new Map();
    this.people = new Map();
    try {
      for (const uses of toBatches(keys)) await this.repository.noteKeys(uses);
      for (const uses of toBatches(sessions)) await this.repository.noteSessions(uses);
      for (const uses of toBatches(people)) await this.repository.notePeople(uses);
    } catch (error) {
      this.logger.warn({ err: error }, 'The last uses of credentials could not be written');
    }
  }
}

function* toBatches(times: Map<string, number>): Generator<Use[]> {
  const uses = [...times].map(([id, at]) => ({ id, at }));
  for (let start = 0; start < uses.length; start += BATCH) yield uses.slice(start, start + BATCH);
}
