import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { IdempotencyService } from '../../accounts/idempotency/idempotency.service';
import { EnvelopedResponse } from '../../platform/http/envelope';
import { StartCallDto, type StartedCallDto } from '../calls/lifecycle/calls.dto';
import { CallsService } from '../calls/lifecycle/calls.service';
import { AddDoNotCallDto } from '../do-not-call/do-not-call.dto';
import { DoNotCallService } from '../do-not-call/do-not-call.service';
import { CallRecordsService } from '../reports/call-records/call-records.service';
import { assertAgentInScope } from './agent-in-scope';
import { agentId, callId, customerName, idempotencyKey, phoneNumber, variables } from './fields';
import { toBody } from '../../platform/http/to-dto';
import { defineTool, type Tool, type ToolRequest, type ToolSet } from './tool';

const startCall = z.strictObject({
  agent_id: agentId,
  to_number: phoneNumber,
  variables,
  customer_name: customerName,
  idempotency_key: idempotencyKey,
  dry_run: z.boolean().optional().describe('true: only says whether the call would be started.'),
});

type StartCall = z.output<typeof startCall>;

const SUCCESS = { status: 200, message: 'Call started' };

/** Tools that dial, hang up and protect numbers. */
@Injectable()
export class ActingTools implements ToolSet {
  readonly tools: Tool[] = [
    defineTool({
      name: 'start_call',
      title: 'Start a call',
      description:
        'Dials a number through an agent: a person will be called. It holds one credit, and costs one for each started ' +
        'minute of talk. A runtime places the call in the background: read it with get_call. Use dry_run first, and an ' +
        'idempotency_key so that a repetition does not dial twice. Numbers on the do-not-call list are refused.',
      input: startCall,
      output: z.object({
        call_id: z.string().nullable().describe('null: a dry run has none.'),
        status: z.enum(['queued', 'would_start']),
        is_replayed: z.boolean().describe('The call was started by an earlier request with the same key.'),
      }),
      reach: 'agents',
      change: {
        action: 'call.started',
        findTarget: ({ agent_id }, result) => ({
          id: (result as StartedCallDto).conversation_id,
          details: { agent: agent_id },
        }),
        isDry: ({ dry_run }) => dry_run === true,
      },
      isDestructive: true,
      run: async (args, request) => {
        assertAgentInScope(request.caller, args.agent_id);
        if (args.dry_run) return { structured: await this.rehearse(args, request) };
        return { structured: await this.start(args, request) };
      },
    }),
    defineTool({
      name: 'hang_up',
      title: 'Hang up a call',
      description:
        'Cancels a call that no runtime has taken, or asks its runtime to hang up, which happens in the background. The ' +
        'person is cut off.',
      input: z.strictObject({ call_id: callId }),
      output: z.object({
        call_id: z.string(),
        status: z.string(),
        hangup: z.string().describe('cancelled: it is not placed. sent or pending: its runtime is asked.'),
      }),
      reach: 'agents',
      change: {
        action: 'call.hang_up_requested',
        findTarget: ({ call_id }) => ({ id: call_id }),
      },
      isDestructive: true,
      isIdempotent: true,
      run: async ({ call_id }, { caller }) => {
        const { conversation_id, status, hangup } = await this.records.hangUp(caller, call_id);
        return { structured: { call_id: conversation_id, status, hangup } };
      },
    }),
    defineTool({
      name: 'add_do_not_call',
      title: 'Put a number on the do-not-call list',
      description:
        'From now on the number is not dialled: calls to it are refused, and campaigns skip it. Only a person can take it ' +
        'off the list.',
      input: z.strictObject({
        phone_number: phoneNumber,
        reason: z.string().max(500).optional().describe('Why the person is not to be called.'),
      }),
      output: z.object({ phone_number: z.string(), reason: z.string().nullable() }),
      reach: 'workspace',
      // The audit does not contain the number, which is that of a person.
      change: { action: 'do_not_call.added', findTarget: () => ({ id: null }) },
      isIdempotent: true,
      run: async (args, { caller }) => {
        const { phone_number, reason } = await this.list.add(
          caller.workspaceId,
          await toBody(AddDoNotCallDto, args),
        );
        return { structured: { phone_number, reason } };
      },
    }),
  ];

  constructor(
    private readonly calls: CallsService,
    private readonly records: CallRecordsService,
    private readonly list: DoNotCallService,
    private readonly idempotency: IdempotencyService,
  ) {}

  private async start(args: StartCall, { caller, traceparent }: ToolRequest) {
    const body = { ...(await this.toBody(args)), traceparent };
    const start = () => this.calls.startRecorded(caller, args.agent_id, body);
    const request = this.toKeyedRequest(args, caller.workspaceId);
    const answer = request ? await this.idempotency.execute(request, start) : await start();
    const isReplayed = answer instanceof EnvelopedResponse;
    const started = (isReplayed ? (answer.body as { data: unknown }).data : answer) as StartedCallDto;
    return { call_id: started.conversation_id, status: 'queued' as const, is_replayed: isReplayed };
  }

  private async rehearse(args: StartCall, { caller, traceparent }: ToolRequest) {
    const body = { ...(await this.toBody(args)), traceparent };
    const request = this.toKeyedRequest(args, caller.workspaceId);
    const known = request && (await this.idempotency.findReplay(request));
    if (!known) await this.calls.rehearseStart(caller, args.agent_id, body);
    return { call_id: null, status: 'would_start' as const, is_replayed: known !== undefined };
  }

  private toBody({ to_number, customer_name, variables: dynamic_variables }: StartCall) {
    return toBody(StartCallDto, { to_number, customer_name, dynamic_variables });
  }

  /** The key is one of the tool, apart from those of the REST API. */
  private toKeyedRequest({ idempotency_key: key, dry_run: _, ...body }: StartCall, workspaceId: string) {
    if (key === undefined) return undefined;
    return { workspaceId, endpoint: 'start_call of /mcp', key, body, success: SUCCESS };
  }
}
