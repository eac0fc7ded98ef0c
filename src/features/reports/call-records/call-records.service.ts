import { Injectable } from '@nestjs/common';
import { callNotFound } from '../../calls/model/calls.errors';
import type { HangUpDto } from '../../calls/lifecycle/calls.dto';
import { CallsService } from '../../calls/lifecycle/calls.service';
import { DemoRecordings } from '../../demo-recordings/demo-recordings';
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

  /** @throws 404, 409 if the call has ended */
  async hangUp(caller: Caller, callId: string): Promise<HangUpDto> {
    const agentId = await this.records.findAgentId(toCallId(caller, callId));
    if (agentId === undefined) throw callNotFound();
    return this.calls.hangUp(caller, agentId, callId);
  }
}
