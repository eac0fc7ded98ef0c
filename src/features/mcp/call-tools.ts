import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { ScanPermits } from '../../platform/http/may-scan';
import { CONVERSATION_STATUSES } from '../calls/model/call-states';
import { CallRecordsService } from '../reports/call-records/call-records.service';
import { TranscriptsService } from '../reports/call-records/transcripts.service';
import { ListCallsQuery, mayScanCalls } from '../reports/filter/call-filter.dto';
import { ToolInvocationsService } from '../tool-invocations/tool-invocations.service';
import { explainCall, MAX_TRANSCRIPT } from './call-explanation';
import { agentId, callId, from, limit, time, to } from './fields';
import { toQuery } from '../../platform/http/to-dto';
import { defineTool, type Tool, type ToolRequest, type ToolSet } from './tool';

const call = z.looseObject({
  call_id: z.string(),
  agent: z.looseObject({ id: z.string(), name: z.string() }),
  status: z.string(),
  disconnect_reason: z.string().nullable(),
  to_number: z.string(),
  from_number: z.string(),
  customer_name: z.string(),
  created_at: time,
  connected_at: time,
  ended_at: time,
  duration_sec: z.number(),
  charge: z.number(),
  outcome: z.string(),
});

const number = z
  .string()
  .max(16)
  .optional()
  .describe('A number of either side in E.164 form, or its last four or more digits.');

const plain = (value: object) => JSON.parse(JSON.stringify(value)) as never;

/** Tools that read calls. */
@Injectable()
export class CallTools implements ToolSet {
  readonly tools: Tool[] = [
    defineTool({
      name: 'find_calls',
      title: 'Find calls',
      description:
        'Lists calls, newest first, from the moment each was accepted. Filters are combined with AND. queued: waits for a ' +
        'runtime. accepted: a runtime dials. connected: somebody talks. disconnected: was connected and has ended. ' +
        'failed: ended before it was connected.',
      input: z.strictObject({
        status: z.enum(CONVERSATION_STATUSES).optional().describe('Only calls with this status.'),
        agent_id: agentId.optional(),
        number,
        from,
        to,
        limit,
      }),
      output: z.object({
        calls: z.array(call),
        total: z.number().describe('How many calls match, of which the list has the newest.'),
      }),
      reach: 'agents',
      run: async ({ from: start_date, to: end_date, ...filter }, request) => {
        const query = await toQuery(ListCallsQuery, { ...filter, start_date, end_date });
        const { data, pagination } = await this.scanIfNeeded(filter, request, () =>
          this.records.list(request.caller, query),
        );
        return { structured: { calls: plain(data), total: pagination.total } };
      },
    }),
    defineTool({
      name: 'get_call',
      title: 'Get a call',
      description:
        'Returns one call with its variables, greeting, summary, analysis and recording. The configuration of its ' +
        'agent is left out: get_agent has the present one.',
      input: z.strictObject({ call_id: callId }),
      output: z.object({ call }),
      reach: 'agents',
      run: async ({ call_id }, { caller }) => {
        // Only the REST API shows the address at which a web call is joined.
        const { join: _, agent_config: __, ...shown } = await this.records.get(caller, call_id);
        return { structured: { call: plain(shown) } };
      },
    }),
    defineTool({
      name: 'explain_call',
      title: 'Explain a call',
      description:
        'Returns one page of text about a call: who did what when and why, with the credits and the attempts of its ' +
        'webhooks, what its agent did by tools, and what was said. Use it to find out why a call failed or how it went.',
      input: z.strictObject({ call_id: callId }),
      output: z.object({ call_id: z.string(), status: z.string(), text: z.string() }),
      reach: 'agents',
      run: async ({ call_id }, { caller, response }) => {
        const { found, text } = await this.scans.scan(caller.workspaceId, response, async () => {
          const found = await this.records.get(caller, call_id);
          const timeline = await this.records.timeline(caller, call_id);
          const invocations = await this.invocations.list(caller, call_id);
          const transcript = await this.transcripts.read(caller, call_id, MAX_TRANSCRIPT);
          return { found, text: explainCall(found, timeline, invocations, transcript) };
        });
        return { structured: { call_id: found.call_id, status: found.status, text }, text };
      },
    }),
  ];

  constructor(
    private readonly records: CallRecordsService,
    private readonly transcripts: TranscriptsService,
    private readonly invocations: ToolInvocationsService,
    private readonly scans: ScanPermits,
  ) {}

  private scanIfNeeded<Result>(
    filter: Record<string, unknown>,
    { caller, response }: ToolRequest,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
    return mayScanCalls(given) ? this.scans.scan(caller.workspaceId, response, work) : work();
  }
}
