import type { Command } from 'commander';
import type { Schemas } from '../../types';
import type { Cli } from '../cli';
import { addCommand, isJson } from '../command';
import { CommandFailed } from '../errors';
import { readRepeatedly } from '../read-repeatedly';

type Campaign = Schemas['CampaignDetailDto'];

const PAUSE_MS = 2_000;

const ENDED: readonly Campaign['status'][] = ['completed', 'failed', 'cancelled'];

export function addCampaignWatchCommand(campaigns: Command, cli: Cli): void {
  const watch = addCommand(
    campaigns,
    'watch <campaign>',
    'show each change of a campaign until it ends; exit with 1 if it failed',
  );
  watch.action(async (id: string) => {
    const parley = await cli.connect();
    let shown: string | undefined;
    for await (const campaign of readRepeatedly(() => parley.campaigns.get(id), PAUSE_MS, cli.output)) {
      const { status, progress, outcomes, waiting, failureReason } = campaign;
      const state = JSON.stringify([status, progress, outcomes, waiting?.reason]);
      if (state !== shown)
        await (isJson(watch) ? cli.output.json(campaign) : cli.output.line(describe(campaign)));
      shown = state;
      if (status === 'failed')
        throw new CommandFailed(`The campaign failed: ${failureReason ?? 'no reason is known'}`);
      if (ENDED.includes(status)) return;
    }
  });
}

/** The state of a campaign in a line. */
function describe({ as_of, status, progress, waiting }: Campaign): string {
  const counts = Object.entries(progress).filter(([, count]) => count > 0);
  const recipients = counts.map(([name, count]) => `${count} ${name}`).join(', ');
  return `${as_of}  ${status}${waiting ? ` (${waiting.reason})` : ''}: ${recipients || 'no recipients'}`;
}
