import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { leaveRequest } from '../../platform/http/request-context';
import type { EventStream } from './event-stream';
import { eventText } from './live-events.dto';
import { tooManyStreams } from './live.errors';
import { LiveRepository } from './live.repository';
import {
  findChanges,
  type Changes,
  countCalls,
  goneCalls,
  createView,
  type WorkspaceView,
} from './workspace-view';

const POLL_INTERVAL_MS = 1_000;

/**
 * Proxies close a connection that is idle for a minute or less. A client connects again after two of these events
 * were missing.
 */
const ALIVE_INTERVAL_MS = 15_000;

/** The number of open streams of one workspace in this process. */
const MAX_STREAMS = 100;

/** The number of calls that one poll reports. A busy workspace changes more of them than a page can show. */
const MAX_CALLS = 500;

interface Watched {
  streams: Set<EventStream>;
  /** undefined: the workspace was not polled yet */
  view?: WorkspaceView;
}

/**
 * Polls each second the workspaces with open streams, and sends their streams the changes. It compares the state in
 * the database with the state of the poll before, so that it also includes changes by other processes.
 */
@Injectable()
export class LiveStreams implements OnModuleDestroy {
  private readonly logger = new Logger(LiveStreams.name);
  private readonly watched = new Map<string, Watched>();
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(private readonly states: LiveRepository) {}

  /** @throws 503 if the workspace has too many streams */
  assertRoom(workspaceId: string): void {
    if ((this.watched.get(workspaceId)?.streams.size ?? 0) >= MAX_STREAMS) throw tooManyStreams(MAX_STREAMS);
  }

  /** Sends the stream what changes in the workspace, until one side ends it. */
  add(workspaceId: string, stream: EventStream): void {
    if (this.isStopping) return stream.end();
    const watched = this.watched.get(workspaceId) ?? { streams: new Set() };
    this.watched.set(workspaceId, watched);
    watched.streams.add(stream);
    if (watched.view) stream.send(countsText(watched.view));
    const signs = setInterval(() => stream.send(ALIVE), ALIVE_INTERVAL_MS);
    stream.onClose(() => {
      clearInterval(signs);
      watched.streams.delete(stream);
      if (watched.streams.size === 0) this.watched.delete(workspaceId);
    });
    // The timer runs outside the context of this request: its end would abort the polls for all others.
    this.timer ??= leaveRequest(() => setTimeout(() => void this.poll(), 0));
  }

  /** Ends all streams at once, so that their clients connect to another server. */
  drain(): void {
    this.isStopping = true;
    clearTimeout(this.timer);
    for (const { streams } of this.watched.values()) for (const stream of streams) stream.end();
  }

  /** Otherwise the stop of the server would cut the streams as requests in progress. */
  onModuleDestroy(): void {
    this.drain();
  }

  private async poll(): Promise<void> {
    try {
      await this.sendChanges();
    } catch (error) {
      this.logger.warn({ err: error }, 'The streams of changes were not updated');
    }
    const goesOn = this.watched.size > 0 && !this.isStopping;
    this.timer = goesOn ? setTimeout(() => void this.poll(), POLL_INTERVAL_MS) : undefined;
  }

  private async sendChanges(): Promise<void> {
    const workspaceIds = [...this.watched.keys()];
    if (workspaceIds.length === 0) return;
    const calls = byWorkspace(await this.states.findCalls(workspaceIds));
    const campaigns = byWorkspace(await this.states.findCampaigns(workspaceIds));
    const tools = byWorkspace(await this.states.findInvocations(workspaceIds));
    const runs = byWorkspace(await this.states.findRuns(workspaceIds));
    const changes = workspaceIds.map((workspaceId) => {
      const before = this.watched.get(workspaceId)?.view;
      const now = createView({
        calls: calls.get(workspaceId),
        campaigns: campaigns.get(workspaceId),
        tools: tools.get(workspaceId),
        runs: runs.get(workspaceId),
      });
      return { workspaceId, before, now, gone: before ? goneCalls(before, now) : [] };
    });
    const gone = changes.flatMap((change) => change.gone);
    const ended = byWorkspace(gone.length > 0 ? await this.states.findCallStates(gone) : []);
    const at = new Date();
    for (const { workspaceId, before, now } of changes) {
      const watched = this.watched.get(workspaceId);
      if (!watched) continue;
      watched.view = now;
      const events = before
        ? toEvents(before, now, findChanges(before, now, ended.get(workspaceId)), at)
        : countsText(now);
      if (events !== '') for (const stream of watched.streams) stream.send(events);
    }
  }
}

function byWorkspace<Row extends { workspaceId: string }>(rows: Row[]): Map<string, Row[]> {
  const grouped = new Map<string, Row[]>();
  for (const row of rows) {
    const group = grouped.get(row.workspaceId);
    if (group) group.push(row);
    else grouped.set(row.workspaceId, [row]);
  }
  return grouped;
}

/** Unlike a comment, an event reaches the listeners of an EventSource. */
const ALIVE = eventText('alive', {});

const countsText = (view: WorkspaceView) => eventText('counts', countCalls(view));

function toEvents(
  before: WorkspaceView,
  now: WorkspaceView,
  { calls, campaigns, tools, runs }: Changes,
  at: Date,
): string {
  const counts = isDeepStrictEqual(countCalls(before), countCalls(now)) ? '' : countsText(now);
  const ofCalls = calls
    .slice(0, MAX_CALLS)
    .map(({ id, status }) => eventText('call', { call_id: id, status, at }));
  const ofCampaigns = campaigns.map((id) => eventText('campaign', { campaign_id: id }));
  const ofTools = tools
    .slice(0, MAX_CALLS)
    .map(({ id, callId, state }) => eventText('tool', { call_id: callId, invocation_id: id, state }));
  const ofRuns = runs.map(({ id, status, done, total }) =>
    eventText('rehearsal', { run_id: id, status, done, total }),
  );
  return [counts, ...ofCalls, ...ofCampaigns, ...ofTools, ...ofRuns].join('');
}
