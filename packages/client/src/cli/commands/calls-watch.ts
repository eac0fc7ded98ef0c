import type { Command } from 'commander';
import type { Parley } from '../../parley';
import { CALL } from '../../wait-for-end';
import type { Cli } from '../cli';
import { addCommand, isJson } from '../command';
import { followChanges } from '../live';
import { readRepeatedly } from '../read-repeatedly';
import { checkSuccess, printEnd } from './call';

const PAUSE_MS = 1_000;

export function addWatchCommand(calls: Command, cli: Cli): void {
  const watch = addCommand(
    calls,
    'watch [call]',
    'show each change of a call until it ends, or of all calls until Ctrl-C; exit with 1 if the call failed',
  );
  watch.action(async (id: string | undefined) => {
    if (id !== undefined) return watchCall(cli, watch, await cli.connect(), id);
    for await (const { event, data } of followChanges(await cli.access(), cli.output, cli.timeLimit())) {
      if (event !== 'call') continue;
      const change = data as { call_id: string; status: string; at: string };
      await (isJson(watch)
        ? cli.output.json(change)
        : cli.output.line(`${change.at}  ${change.call_id}  ${change.status}`));
    }
  });
}

/** Prints each entry of the timeline once. */
async function watchCall(cli: Cli, watch: Command, parley: Parley, id: string): Promise<void> {
  const seen = new Set<string>();
  const read = async () => {
    // The call is read first, so that the timeline of one that has ended is complete.
    const call = await parley.calls.get(id);
    return { call, timeline: await parley.calls.timeline(id) };
  };
  for await (const { call, timeline } of readRepeatedly(read, PAUSE_MS, cli.output)) {
    for (const entry of timeline) {
      const text = JSON.stringify(entry);
      if (seen.has(text)) continue;
      seen.add(text);
      await (isJson(watch) ? cli.output.json(entry) : cli.output.line(`${entry.at}  ${entry.text}`));
    }
    if (CALL.hasEnded(call)) return isJson(watch) ? checkSuccess(call) : printEnd(cli, watch, call);
  }
}
