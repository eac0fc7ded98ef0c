import { type Command, InvalidArgumentError } from 'commander';
import type { Schemas } from '../../types';
import type { Cli } from '../cli';
import { addCommand, isJson, parseCount, printDone } from '../command';

type Retention = Schemas['RetentionDto'];

const FOR_EVER = 'forever';

function parseDays(text: string): number | typeof FOR_EVER {
  if (text === FOR_EVER) return text;
  try {
    return parseCount(text);
  } catch {
    throw new InvalidArgumentError(`It must be a whole number from 1 on, or ${FOR_EVER}.`);
  }
}

const toDays = (given: number | typeof FOR_EVER | undefined, kept: number | null) =>
  given === FOR_EVER ? null : (given ?? kept);

const show = (days: number | null) => days ?? FOR_EVER;

export function addKeepingCommands(program: Command, cli: Cli): void {
  const retention = addCommand(program, 'retention', 'show how long calls are kept, or change what flags say')
    .option('--transcripts-days <days>', `days after the end of a call, or ${FOR_EVER}`, parseDays)
    .option('--recordings-days <days>', `days after the end of a call, or ${FOR_EVER}`, parseDays)
    .option('--calls-days <days>', `days until the call itself is deleted, or ${FOR_EVER}`, parseDays);
  retention.action(async () => {
    const given: Partial<
      Record<'transcriptsDays' | 'recordingsDays' | 'callsDays', number | typeof FOR_EVER>
    > = retention.opts();
    const { workspace } = await cli.connect();
    let kept: Retention = await workspace.retention();
    const changed = {
      transcripts_days: toDays(given.transcriptsDays, kept.transcripts_days),
      recordings_days: toDays(given.recordingsDays, kept.recordings_days),
      calls_days: toDays(given.callsDays, kept.calls_days),
    };
    const isChanged = Object.entries(changed).some(([name, days]) => kept[name as keyof Retention] !== days);
    if (isChanged) kept = await workspace.setRetention(changed);
    if (isJson(retention)) return cli.output.json(kept);
    const { transcripts_days, recordings_days, calls_days } = kept;
    await cli.output.object({
      transcripts_days: show(transcripts_days),
      recordings_days: show(recordings_days),
      calls_days: show(calls_days),
    });
  });

  const erase = addCommand(program, 'erase <number>', 'remove a person from calls and campaigns');
  erase.action(async (number: string) => {
    const erasure = await (await cli.connect()).workspace.erase({ phone_number: number });
    await printDone(cli, erase, `The erasure ${erasure.erasure_id} is ${erasure.status}.`, erasure);
  });
}
