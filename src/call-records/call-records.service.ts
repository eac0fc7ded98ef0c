import { Injectable } from '@nestjs/common';
import { callNotFound } from '../calls/calls.errors';
import type { HangUpDto } from '../calls/calls.dto';
import { CallsService } from '../calls/calls.service';
import type { Response } from 'express';
import type { Caller } from '../http/access';
import { abortSignalOf } from '../http/client-abort-signal';
import { offsetOf, type Paginated, paginate } from '../http/pagination';
import { WorkspaceSemaphore } from '../http/workspace-semaphore';
import { callFilterOf, uuidsInScope } from './call-filter';
import type { ListCallsQuery } from './call-filter.dto';
import type { CallDetailDto, CallDto, TranscriptDto } from './call-records.dto';
import { presentCall, presentCallDetail, presentTurn } from './call-records.presenter';
import { type CallId, CallRecordsRepository } from './call-records.repository';
import { type TimelineEntry, timelineOf } from './timeline';

/** Responses of one workspace at once, in this process: each may have 40 MB, which stay in memory until they are read. */
const MAX_TRANSCRIPTS = 2;

/** A reader that takes nothing for so long is gone. */
const IDLE_MS = 30_000;

/** Finds and reads calls of all agents that the caller has access to. */
@Injectable()
export class CallRecordsService {
  private readonly transcripts = new WorkspaceSemaphore({
    permits: MAX_TRANSCRIPTS,
    resource: 'transcript',
    waitSeconds: 5,
  });

  constructor(
    private readonly records: CallRecordsRepository,
    private readonly calls: CallsService,
  ) {}

  async list(caller: Caller, query: ListCallsQuery): Promise<Paginated<CallDto[]>> {
    const { limit, sortBy, sortOrder } = query;
    const place = { offset: offsetOf(query), limit, sortBy, sortOrder };
    const { total, calls } = await this.records.list(callFilterOf(caller, query), place);
    return paginate(calls.map(presentCall), query, total);
  }

  /** @throws 404 */
  async get(caller: Caller, callId: string): Promise<CallDetailDto> {
    const call = await this.records.find(idOf(caller, callId));
    if (!call) throw callNotFound();
    return presentCallDetail(call);
  }

  /** @throws 404 */
  async timeline(caller: Caller, callId: string): Promise<TimelineEntry[]> {
    const facts = await this.records.findFacts(idOf(caller, callId));
    if (!facts) throw callNotFound();
    return timelineOf(facts);
  }

  /**
   * @param response that of the transcript; the next one is read when it has been taken
   * @throws 404, 503 if the workspace has too many readers
   */
  async transcript(caller: Caller, callId: string, response: Response): Promise<TranscriptDto> {
    const release = await this.transcripts.acquire(caller.workspaceId, {
      abortSignal: () => abortSignalOf(response),
    });
    if (response.closed) release();
    else response.once('close', release).setTimeout(IDLE_MS, () => response.destroy());
    const transcript = await this.records.findTranscript(idOf(caller, callId));
    if (!transcript) throw callNotFound();
    return { ...transcript, turns: transcript.turns.map(presentTurn) };
  }

  /** @throws 404, 409 if the call has ended */
  async hangUp(caller: Caller, callId: string): Promise<HangUpDto> {
    const agentId = await this.records.findAgentId(idOf(caller, callId));
    if (agentId === undefined) throw callNotFound();
    return this.calls.hangUp(caller.workspaceId, agentId, callId);
  }
}

const idOf = (caller: Caller, callId: string): CallId => ({
  workspaceId: caller.workspaceId,
  callId,
  agentsInScope: uuidsInScope(caller),
});
