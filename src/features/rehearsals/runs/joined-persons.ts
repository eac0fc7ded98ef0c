import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { RehearsedPerson } from '@parley/voice';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { CONFIG, type Config, getPublicUrl } from '../../../config';
import { BackgroundLoops } from '../../../platform/background/background-loops';
import type { RehearsalFacts } from '../../../platform/messaging/wire';
import {
  type AddressRule,
  anyAddress,
  createAddressRule,
} from '../../../platform/outbound-http/public-address';
import type { Person } from '../rehearsal-definition';
import { JoinedCall } from './joined-call';
import { JoinedSocket, JoinFailed } from './joined-socket';
import { type HeldRehearsal, RehearsalPlaysRepository } from './rehearsal-plays.repository';
import { toPerson } from './rehearsal-start.message';

/** The connections of a process. */
const MAX_JOINED = 64;
/** The connections of a workspace, also if their rehearsals are over already. */
const MAX_JOINED_OF_WORKSPACE = 4;
const LOOK_MS = 500;
const MAX_MS = 600_000;

/** A rehearsal whose runtime waits for its person. */
export interface Joining extends HeldRehearsal {
  workspaceId: string;
  person: Person;
  url: string;
  /** Ends the call of the runtime. */
  hangUp: () => Promise<unknown>;
}

interface Joined extends HeldRehearsal {
  workspaceId: string;
  call: JoinedCall;
  socket: JoinedSocket;
  /** Whether the rehearsal is over without it, such as by a cancellation. */
  isGone: boolean;
  /** The runtime has reported all that it has to. */
  settle: () => void;
}

/** The persons of rehearsals in the mode `joined`, in processes with the role `background`. */
@Injectable()
export class JoinedPersons implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly joined = new Set<Joined>();

  constructor(
    private readonly plays: RehearsalPlaysRepository,
    private readonly loops: BackgroundLoops,
    private readonly adapter: HttpAdapterHost,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    const failure = 'Joined rehearsals could not be looked at; the next attempt follows';
    this.loops.start(() => this.look(), LOOK_MS, failure);
  }

  /** Its rehearsals are offered again after their lease, as if this process was killed. */
  onModuleDestroy(): void {
    for (const each of this.joined) leave(each);
  }

  isFull(workspaceId: string): boolean {
    const own = [...this.joined].filter((each) => each.workspaceId === workspaceId);
    return this.joined.size >= MAX_JOINED || own.length >= MAX_JOINED_OF_WORKSPACE;
  }

  /**
   * Joins the call of a runtime, and writes to it until its end. If that fails, the runtime is hung up on, and has the
   * time of its lease to end: the next one to play it may be the same, and knows the call by the same id.
   * @returns undefined if the rehearsal is gone meanwhile
   * @throws JoinFailed; Error if a search for a pattern takes too long
   */
  async play(joining: Joining): Promise<RehearsalFacts | undefined> {
    const { id, token, workspaceId, person, url, hangUp } = joining;
    let settle: Joined['settle'] = () => undefined;
    const settled = new Promise<void>((resolve) => (settle = resolve));
    const call = new JoinedCall((frame) => socket.send(frame));
    const socket = new JoinedSocket(url, this.findRule(url), {
      message: (data) => call.receive(data) || call.stop(),
      closed: () => call.closed(),
    });
    const joined = { id, token, workspaceId, call, socket, settle, isGone: false };
    this.joined.add(joined);
    const limit = setTimeout(() => call.limit(), MAX_MS);
    const ended = () =>
      Promise.race([settled, pause(this.config.LEASE_SECONDS * 1_000, undefined, { ref: false })]);
    try {
      await this.speak(call, socket, person);
      if (!joined.isGone) await ended();
      const found = joined.isGone ? undefined : await this.plays.findReported({ id, token });
      return found && call.toFacts(found.reported ?? {}, found.uses);
    } catch (error) {
      if (joined.isGone) return undefined;
      call.stop();
      socket.close();
      await hangUp();
      await ended();
      throw error;
    } finally {
      clearTimeout(limit);
      call.stop();
      socket.close();
      this.joined.delete(joined);
    }
  }

  /** @throws JoinFailed; Error if a search for a pattern takes too long */
  private async speak(call: JoinedCall, socket: JoinedSocket, person: Person): Promise<void> {
    await socket.opened;
    call.start();
    await new RehearsedPerson(toPerson(person), call, call.agent, true).speak();
    socket.close();
    if (!call.end) throw new JoinFailed('The connection was cut, or a frame made no sense.');
  }

  /** Finds those that are gone, and those whose runtime has said all. */
  private async look(): Promise<void> {
    const all = [...this.joined];
    if (all.length === 0) return;
    const found = await this.plays.findJoined(all.map(({ id }) => id));
    const byToken = new Map(found.map((each) => [each.token, each]));
    for (const each of all) {
      const now = byToken.get(each.token);
      if (!now) leave(each);
      else if (now.isOver) {
        each.call.stop();
        each.settle();
      }
    }
  }

  /** The operator says which origins are those of voice runtimes. Any other one is an address from outside. */
  private findRule(url: string): AddressRule {
    const { port } = (this.adapter.httpAdapter.getHttpServer() as Server).address() as AddressInfo;
    const own = new URL(getPublicUrl({ ...this.config, PORT: port })).origin.replace(/^http/, 'ws');
    return [own, ...this.config.VOICE_ORIGINS].includes(new URL(url).origin)
      ? anyAddress
      : createAddressRule(this.config);
  }
}

function leave(joined: Joined): void {
  joined.isGone = true;
  joined.call.stop();
  joined.socket.close();
  joined.settle();
}
