import { type ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { exportWriters } from '../../platform/http/export-formats';
import { exportedFile } from '../../platform/http/exported-file';
import { StreamedAnswers } from '../../platform/http/streamed-answers';
import { Replica } from '../../platform/replica/replica';
import type { ExportInvocationsQuery } from './invocation-records.dto';
import { InvocationRecordsRepository } from './invocation-records.repository';
import type { ListedInvocationDto } from './tool-invocations.dto';
import { presentListed } from './tool-invocations.presenter';

/** JSON for what may be any value; an empty cell for nothing. */
const toJson = (value: unknown) => (value === null ? null : JSON.stringify(value));

export const INVOCATION_WRITERS = exportWriters<ListedInvocationDto>({
  invocation_id: (invocation) => invocation.invocation_id,
  call_id: (invocation) => invocation.call_id,
  agent_id: (invocation) => invocation.agent_id,
  tool: (invocation) => invocation.tool,
  arguments: (invocation) => toJson(invocation.arguments),
  state: (invocation) => invocation.state,
  result: (invocation) => toJson(invocation.result),
  error: (invocation) => invocation.error,
  attempts: (invocation) => invocation.attempts,
  repeats: (invocation) => invocation.repeats,
  asked_at: (invocation) => invocation.asked_at,
  settled_at: (invocation) => invocation.settled_at,
  settled_by: (invocation) => invocation.settled_by,
  note: (invocation) => invocation.note,
});

/** Writes all invocations of a workspace that match to a response, newest first. */
@Injectable()
export class InvocationExportService {
  constructor(
    private readonly records: InvocationRecordsRepository,
    private readonly answers: StreamedAnswers,
    private readonly replica: Replica,
  ) {}

  write(
    workspaceId: string,
    { format, ...filters }: ExportInvocationsQuery,
    context: ExecutionContext,
    response: Response,
  ): Promise<void> {
    const batches = this.readBatches(workspaceId, filters, response);
    const file = exportedFile({ name: 'tool-invocations', format, writers: INVOCATION_WRITERS, batches });
    return this.answers.write(context, response, file);
  }

  private async *readBatches(
    workspaceId: string,
    filters: Omit<ExportInvocationsQuery, 'format'>,
    response: Response,
  ): AsyncGenerator<ListedInvocationDto[], void> {
    const reader = this.replica.open();
    for await (const rows of this.records.batches(reader, workspaceId, filters)) {
      reader.setHeader(response);
      yield rows.map(presentListed);
    }
  }
}
