import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { validationFailed } from '../../platform/http/errors';
import { RuntimesService } from '../runtimes/runtimes.service';
import { CallSeriesQuery, type SeriesBucketDto } from '../reports/series/call-series.dto';
import { CallSeriesService } from '../reports/series/call-series.service';
import { WebhookEndpointsService } from '../webhook-endpoints/webhook-endpoints.service';
import { agentId, from, time, to } from './fields';
import { toQuery } from '../../platform/http/to-dto';
import { defineTool, type Tool, type ToolSet } from './tool';

const LONGEST_YEARS = 100;

/** A series of months has room for 2,000 of them. Its own refusal would name an interval, which the tool has not. */
function assertLength({ start_date, end_date }: CallSeriesQuery): void {
  if (!start_date) return;
  const end = end_date?.time ?? new Date();
  if (end.getUTCFullYear() - start_date.time.getUTCFullYear() <= LONGEST_YEARS) return;
  const message = `from must be at most ${LONGEST_YEARS} years before to`;
  throw validationFailed([{ field: 'from', message }]);
}

/** The calls of each reason in all months together. null: calls that have not ended. */
function sumByReason(buckets: SeriesBucketDto[]): { reason: string | null; calls: number }[] {
  const sums = new Map<string | null, number>();
  for (const { key, calls } of buckets.flatMap(({ groups }) => groups)) {
    sums.set(key, (sums.get(key) ?? 0) + calls);
  }
  return [...sums]
    .map(([reason, calls]) => ({ reason, calls }))
    .filter(({ calls }) => calls > 0)
    .sort((a, b) => b.calls - a.calls);
}

/** Tools that read sums, who takes calls, and which addresses get events. */
@Injectable()
export class ReportTools implements ToolSet {
  readonly tools: Tool[] = [
    defineTool({
      name: 'call_statistics',
      title: 'Count calls',
      description:
        'Counts the calls of a time, with their talk time and credits, and by how they ended. Without from and to: all ' +
        'calls. Days are those of UTC.',
      input: z.strictObject({ from, to, agent_id: agentId.optional() }),
      output: z.object({
        calls: z.number(),
        connected: z.number().describe('Those that were connected, also if they still are.'),
        failed: z.number(),
        under_way: z.number().describe('Calls that have not ended.'),
        seconds: z.number().describe('Of the connected calls that have ended.'),
        credits: z.number(),
        average_duration_sec: z.number(),
        by_disconnect_reason: z.array(z.object({ reason: z.string().nullable(), calls: z.number() })),
        as_of: z.string(),
      }),
      reach: 'workspace',
      run: async ({ from: start_date, to: end_date, agent_id }, { caller, response }) => {
        const filter = { start_date, end_date, agent_id, interval: 'month', group_by: 'disconnect_reason' };
        const query = await toQuery(CallSeriesQuery, filter);
        assertLength(query);
        const { totals, buckets, as_of } = await this.series.get(caller, query, response);
        return {
          structured: { ...totals, by_disconnect_reason: sumByReason(buckets), as_of: as_of.toISOString() },
        };
      },
    }),
    defineTool({
      name: 'list_runtimes',
      title: 'List runtimes',
      description:
        'Returns the runtimes that take calls, and how many messages wait in the queues between them and the server. ' +
        'Use it if calls stay queued.',
      input: z.strictObject({}),
      output: z.object({
        broker: z.object({ kind: z.string(), state: z.string() }),
        queues: z.array(z.object({ name: z.string(), ready: z.number(), consumers: z.number() })),
        dead: z.object({ calls: z.number().nullable(), events: z.number().nullable() }),
        workers: z.array(
          z.object({
            worker_id: z.string(),
            name: z.string(),
            version: z.string(),
            capacity: z.number().nullable(),
            calls: z.number(),
            last_seen_at: time,
          }),
        ),
        language_models: z.array(z.string()).nullable(),
      }),
      reach: 'workspace',
      run: async (_, { caller }) => {
        const { workers, ...others } = await this.runtimes.overview(caller.workspaceId);
        const shown = workers.map(({ last_seen_at, ...worker }) => ({
          ...worker,
          last_seen_at: last_seen_at.toISOString(),
        }));
        return { structured: { ...others, workers: shown } };
      },
    }),
    defineTool({
      name: 'list_webhook_endpoints',
      title: 'List webhook endpoints',
      description:
        'Returns the addresses that get the events of the workspace, whether they take them, and how many deliveries wait. ' +
        'Use it if another system does not learn of calls.',
      input: z.strictObject({}),
      output: z.object({
        endpoints: z.array(
          z.object({
            endpoint_id: z.string(),
            url: z.string(),
            events: z.array(z.string()),
            agent_ids: z.array(z.string()).nullable(),
            description: z.string(),
            status: z.string(),
            status_since: time,
            paused_reason: z.string().nullable(),
            last_error: z.string().nullable(),
            waiting: z.number().describe('At most 10,000.'),
          }),
        ),
      }),
      reach: 'workspace',
      run: async (_, { caller }) => {
        const { data } = await this.endpoints.list(caller.workspaceId, { page: 1, limit: 100 });
        const endpoints = data.map(({ endpoint_id, url, events, agent_ids, description, ...state }) => ({
          ...{ endpoint_id, url, events, agent_ids, description },
          ...{ status: state.status, status_since: state.status_since.toISOString() },
          ...{ paused_reason: state.paused_reason, last_error: state.last_error, waiting: state.waiting },
        }));
        return { structured: { endpoints } };
      },
    }),
  ];

  constructor(
    private readonly series: CallSeriesService,
    private readonly runtimes: RuntimesService,
    private readonly endpoints: WebhookEndpointsService,
  ) {}
}
