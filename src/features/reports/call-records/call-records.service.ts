import { Injectable } from '@nestjs/common';
import { callNotAudible, callNotFound } from '../../calls/model/calls.errors';
import type { ListenDto } from '../../calls/model/join.dto';
import { toCallRequest } from '../../calls/model/call-request';
import { createCallStart } from '../../calls/model/call-start.message';
import { NO_ANALYSIS } from '../../agents/agent-analysis';
import { listOfferedTools } from '../../tools/offered-tools';
import type { CallStart } from '../../../platform/messaging/wire';
import type { HangUpDto } from '../../calls/lifecycle/calls.dto';
import { CallsService } from '../../calls/lifecycle/calls.service';
import { DemoRecordings } from '../../demo-recordings/demo-recordings';
import { Database } from '../../../platform/database/database';
import { type Caller, mayChange } from '../../../platform/http/access';
import { getOffset, type Paginated, paginate } from '../../../platform/http/pagination';
import { toCallFilter, toCallId } from '../filter/call-filter';
import type { ListCallsQuery } from '../filter/call-filter.dto';
import type { CallDetailDto, CallDto } from './call-records.dto';
import { presentCall, presentCallDetail } from './call-records.presenter';
import { CallRecordsRepository } from './call-records.repository';
import { type TimelineEntry, buildTimeline } from './timeline';

/** Finds and reads calls of all agents that the caller has access to. */
@Injectable()
export class CallRecordsService {
  constructor(
    private readonly records: CallRecordsRepository,
    private readonly calls: CallsService,
    private readonly demoRecordings: DemoRecordings,
    private readonly database: Database,
  ) {}

  async list(caller: Caller, query: ListCallsQuery): Promise<Paginated<CallDto[]>> {
    const { limit, sortBy, sortOrder } = query;
    const place = { offset: getOffset(query), limit, sortBy, sortOrder };
    const { total, calls } = await this.records.list(toCallFilter(caller, query), place);
    return paginate(calls.map(presentCall), query, total);
  }

  /** @throws 404 */
  async get(caller: Caller, callId: string): Promise<CallDetailDto> {
    const call = await this.records.find(toCallId(caller, callId));
    if (!call) throw callNotFound();
    const recordingUrl = call.recordingUrl && this.demoRecordings.shownAddress(call.recordingUrl);
    return presentCallDetail({ ...call, recordingUrl }, mayChange(caller));
  }

  /** @throws 404 */
  async timeline(caller: Caller, callId: string): Promise<TimelineEntry[]> {
    const facts = await this.records.findFacts(toCallId(caller, callId));
    if (!facts) throw callNotFound();
    const { recording } = facts;
    return buildTimeline({
      ...facts,
      recording: recording && { ...recording, url: this.demoRecordings.shownAddress(recording.url) },
    });
  }

  /**
   * Builds the message with which a runtime got the call, with changes of the agent.
   * @throws 404
   */
  async findStart(
    caller: Caller,
    callId: string,
    changes: { prompt: string },
  ): Promise<{ agentId: string; start: CallStart }> {
    const call = await this.records.find(toCallId(caller, callId));
    if (!call) throw callNotFound();
    const request = toCallRequest(call.request);
    const configuration = {
      snapshot: { ...call.snapshot, ...changes },
      tools: listOfferedTools(call.snapshot, call.tools),
      analysis: call.asked ?? NO_ANALYSIS,
    };
    return {
      agentId: call.agentId,
      start: createCallStart({ ...call, request, timeLeftMs: 0 }, configuration),
    };
  }

  /**
   * Gives the address at which the call is heard. The audit notes it in the same transaction.
   * @throws 404, 409 if the call cannot be heard
   */
  async listen(caller: Caller, callId: string): Promise<ListenDto> {
    const id = toCallId(caller, callId);
    if ((await this.records.findAgentId(id)) === undefined) throw callNotFound();
    return this.database.transaction(async (transaction) => {
      const listening = await this.records.findListening(id, transaction);
      if (!listening) throw callNotAudible();
      return { url: listening.url, expires_at: listening.expiresAt };
    });
  }

  /** @throws 404, 409 if the call has ended */
  async hangUp(caller: Caller, callId: string): Promise<HangUpDto> {
    const agentId = await this.records.findAgentId(toCallId(caller, callId));
    if (agentId === undefined) throw callNotFound();
    return this.calls.hangUp(caller, agentId, callId);
  }
}
