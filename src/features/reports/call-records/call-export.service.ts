import { type ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { AgentAnalysisService } from '../../agents/agent-analysis.service';
import type { Caller } from '../../../platform/http/access';
import { exportWriters } from '../../../platform/http/export-formats';
import { exportedFile } from '../../../platform/http/exported-file';
import { StreamedAnswers } from '../../../platform/http/streamed-answers';
import { Replica } from '../../../platform/replica/replica';
import { type CallFilter, toCallFilter } from '../filter/call-filter';
import type { ExportCallsQuery } from '../filter/call-filter.dto';
import { CallExportRepository, type ExportBatch } from './call-export.repository';
import type { ExportedCallDto } from './call-records.dto';
import { presentExportedCall } from './call-records.presenter';

const COLUMNS: Record<string, (call: ExportedCallDto) => unknown> = {
  call_id: (call) => call.call_id,
  agent_id: ({ agent }) => agent.id,
  agent_name: ({ agent }) => agent.name,
  agent_deleted: ({ agent }) => agent.deleted,
  agent_version: (call) => call.agent_version,
  campaign_id: (call) => call.campaign_id,
  direction: (call) => call.direction,
  channel: (call) => call.channel,
  call_type: (call) => call.call_type,
  to_number: (call) => call.to_number,
  from_number: (call) => call.from_number,
  customer_name: (call) => call.customer_name,
  external_id: (call) => call.external_id,
  status: (call) => call.status,
  disconnect_reason: (call) => call.disconnect_reason,
  disconnected_by: (call) => call.disconnected_by,
  created_at: (call) => call.created_at,
  connected_at: (call) => call.connected_at,
  ended_at: (call) => call.ended_at,
  duration_sec: (call) => call.duration_sec,
  charge: (call) => call.charge,
  outcome: (call) => call.outcome,
  has_recording: (call) => call.has_recording,
  campaign_name: (call) => call.campaign_name,
  summary: (call) => call.summary,
};

export const CALL_WRITERS = exportWriters(COLUMNS);

/** The writers of an export that has columns for findings, too. @param names those of filters */
const writersWith = (names: string[]) =>
  exportWriters<ExportedCallDto>({
    ...COLUMNS,
    ...Object.fromEntries(
      names.map((name) => [name, ({ findings }: ExportedCallDto) => findings[name] ?? null]),
    ),
  });

/** Writes all calls that match to a response. */
@Injectable()
export class CallExportService {
  constructor(
    private readonly calls: CallExportRepository,
    private readonly answers: StreamedAnswers,
    private readonly replica: Replica,
    private readonly analyses: AgentAnalysisService,
  ) {}

  async write(
    caller: Caller,
    { format, ...query }: ExportCallsQuery,
    context: ExecutionContext,
    response: Response,
  ): Promise<void> {
    const filter = toCallFilter(caller, query);
    const writers = writersWith(await this.findNames(filter));
    const batches = this.readBatches(filter, response);
    const file = exportedFile({ name: 'calls', format, writers, batches });
    return this.answers.write(context, response, file);
  }

  /** The names of what the agent of the filter asks for now. */
  private async findNames({ workspaceId, agentId, agentsInScope }: CallFilter): Promise<string[]> {
    if (agentId === null || agentsInScope?.includes(agentId) === false) return [];
    const { fields, criteria } = await this.analyses.find(workspaceId, agentId);
    return [...fields.map(({ name }) => `field.${name}`), ...criteria.map(({ name }) => `criterion.${name}`)];
  }

  private async *readBatches(
    filter: CallFilter,
    response: Response,
  ): AsyncGenerator<ExportedCallDto[], void> {
    const reader = this.replica.open();
    const areFew = await this.calls.areFew(reader, filter);
    let after: ExportBatch['next'];
    do {
      const { calls, next } = await this.calls.readBatch(reader, filter, areFew, after);
      reader.setHeader(response);
      yield calls.map(presentExportedCall);
      after = next;
    } while (after);
  }
}
