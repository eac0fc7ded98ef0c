import { isDeepStrictEqual } from 'node:util';
import { type ConversationStatus, ENDED_STATUSES, STATUS } from '../calls/model/call-states';
import type { LiveCountsDto } from './live-events.dto';
import type { CallState, CampaignState, RunState, ToolState } from './live.repository';

/** The state of a workspace at one moment. */
export interface WorkspaceView {
  calls: ReadonlyMap<string, CallState>;
  /** The revisions of campaigns by their ids. */
  campaigns: ReadonlyMap<string, string>;
  tools: ReadonlyMap<string, ToolState>;
  runs: ReadonlyMap<string, RunState>;
}

export interface Changes {
  calls: CallState[];
  /** The ids of the campaigns that changed, or whose calls did. */
  campaigns: string[];
  tools: ToolState[];
  runs: RunState[];
}

export const createView = ({ calls = [], campaigns = [], tools = [], runs = [] }: States): WorkspaceView => ({
  runs: new Map(runs.map((run) => [run.id, run])),
  tools: new Map(tools.map((tool) => [tool.id, tool])),
  calls: new Map(calls.map((call) => [call.id, call])),
  campaigns: new Map(campaigns.map(({ id, revision }) => [id, revision])),
});

interface States {
  calls?: CallState[];
  campaigns?: CampaignState[];
  tools?: ToolState[];
  runs?: RunState[];
}

const hasEnded = ({ status }: CallState) =>
  (ENDED_STATUSES as readonly ConversationStatus[]).includes(status);

export function countCalls({ calls }: WorkspaceView): LiveCountsDto {
  const counts = { queued: 0, accepted: 0, connected: 0 };
  for (const { status } of calls.values()) {
    if (status === STATUS.queued || status === STATUS.accepted || status === STATUS.connected)
      counts[status] += 1;
  }
  return counts;
}

/** The ids of calls that were in progress and are missing now, because they have ended. */
export const goneCalls = (before: WorkspaceView, now: WorkspaceView): string[] =>
  [...before.calls.values()].filter((call) => !hasEnded(call) && !now.calls.has(call.id)).map(({ id }) => id);

/** @param ended the states of {@link goneCalls} */
export function findChanges(before: WorkspaceView, now: WorkspaceView, ended: CallState[] = []): Changes {
  const changed = [...now.calls.values()].filter(({ id, status }) => before.calls.get(id)?.status !== status);
  const calls = [...changed, ...ended];
  const campaigns = new Set(calls.map(({ campaignId }) => campaignId).filter((id) => id !== null));
  for (const [id, revision] of now.campaigns) if (before.campaigns.get(id) !== revision) campaigns.add(id);
  const tools = [...now.tools.values()].filter(({ id, state }) => before.tools.get(id)?.state !== state);
  const runs = [...now.runs.values()].filter((run) => !isDeepStrictEqual(run, before.runs.get(run.id)));
  return { calls, campaigns: [...campaigns], tools, runs };
}
