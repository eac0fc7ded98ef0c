import type { Command } from 'commander';
import { BODY_FIELDS, QUERY_FIELDS } from '../../generated/cli-options';
import type { Schemas } from '../../types';
import type { Cli } from '../cli';
import {
  addCommand,
  addListCommand,
  isJson,
  printCreated,
  printDone,
  printList,
  printObject,
} from '../command';
import { CommandFailed } from '../errors';
import { addFields, assertGiven, type BodyRenames, readBody, readQuery } from '../flags';
import { readInput } from '../input';
import { addKeyFlag, readKey } from '../key-flag';
import { ROW_ERROR_COLUMNS } from '../row-errors';
import { addCampaignWatchCommand } from './campaigns-watch';

type Listed = Schemas['ListedCampaignDto'];

const COLUMNS = {
  id: ({ campaign_id }: Listed) => campaign_id,
  name: ({ campaignName }: Listed) => campaignName,
  status: ({ status }: Listed) => status,
  time: ({ scheduleTime }: Listed) => scheduleTime,
  recipients: ({ recipientCount }: Listed) => recipientCount,
  agent: ({ assistantId }: Listed) => assistantId,
};

const LOG_COLUMNS = {
  at: ({ at }: Schemas['CampaignLogEntryDto']) => at,
  by: ({ actor }: Schemas['CampaignLogEntryDto']) => actor?.name ?? actor?.kind,
  text: ({ text }: Schemas['CampaignLogEntryDto']) => text,
};

/** A time schedules the campaign, so there is no flag for that. */
const NAMES = {
  assistantId: 'agent',
  campaignName: 'name',
  scheduleTime: 'at',
  isScheduled: null,
} satisfies BodyRenames<'CreateCampaignDto'>;

export function addCampaignCommands(program: Command, cli: Cli): void {
  const campaigns = program.command('campaigns').description('calls to many recipients');

  const list = addListCommand(campaigns, 'list', 'list campaigns, the newest first');
  addFields(list, QUERY_FIELDS.listCampaigns);
  list.action(async () => {
    const filter = readQuery(list, 'listCampaigns');
    await printList(cli, list, (await cli.connect()).campaigns.list(filter), COLUMNS);
  });

  const get = addCommand(campaigns, 'get <campaign>', 'show a campaign');
  get.action(async (id: string) => printObject(cli, get, await (await cli.connect()).campaigns.get(id)));

  const create = addFormCommand(
    campaigns,
    'create <file>',
    'create a campaign from a CSV file and print its id',
  );
  addKeyFlag(create.command);
  create.command.action(async (file: string) => {
    const given = create.readFlags();
    assertGiven(given, { campaignName: '--name' });
    const fields = { ...given, file: await readInput(file, cli.surroundings.stdin) };
    const options = { ...cli.uploadLimit(), ...readKey(create.command) };
    const created = await (await cli.connect()).campaigns.create(fields, options);
    await printCreated(cli, create.command, created.campaign_id, created);
  });

  const validate = addFormCommand(
    campaigns,
    'validate <file>',
    'check a CSV file; exit with 1 if it has errors',
  );
  validate.command.action(async (file: string) => {
    // The name is demanded, but not checked.
    const given = { campaignName: 'validation', ...validate.readFlags() };
    const fields = { ...given, file: await readInput(file, cli.surroundings.stdin) };
    const found = await (await cli.connect()).campaigns.validate(fields, cli.uploadLimit());
    await printValidation(cli, validate.command, found);
  });

  addSteeringCommand(campaigns, cli, 'pause', 'make no further calls for now');
  addSteeringCommand(campaigns, cli, 'resume', 'go on with a paused campaign');
  addSteeringCommand(campaigns, cli, 'cancel', 'end a campaign for good');

  const log = addListCommand(
    campaigns,
    'log <campaign>',
    'show what happened to a campaign, the newest first',
  );
  log.action(async (id: string) => {
    await printList(cli, log, (await cli.connect()).campaigns.log(id), LOG_COLUMNS);
  });

  addCampaignWatchCommand(campaigns, cli);

  /** A command with the fields of a campaign. */
  function addFormCommand(parent: Command, nameAndArguments: string, description: string) {
    const command = addCommand(parent, nameAndArguments, description);
    addFields(command, BODY_FIELDS.CreateCampaignDto, NAMES);
    const readFlags = () => {
      const given = readBody(command, 'CreateCampaignDto', NAMES);
      assertGiven(given, { assistantId: '--agent' });
      return { ...given, ...(given.scheduleTime !== undefined && { isScheduled: true }) };
    };
    return { command, readFlags };
  }
}

function addSteeringCommand(
  parent: Command,
  cli: Cli,
  verb: 'pause' | 'resume' | 'cancel',
  description: string,
): void {
  const command = addCommand(parent, `${verb} <campaign>`, description);
  command.action(async (id: string) => {
    const campaign = await (await cli.connect()).campaigns[verb](id);
    await printDone(cli, command, `The campaign ${campaign.campaignName} is ${campaign.status}.`, campaign);
  });
}

async function printValidation(
  cli: Cli,
  command: Command,
  found: Schemas['CampaignValidationDto'],
): Promise<void> {
  const { errors, first_calls, ...facts } = found;
  if (isJson(command)) await cli.output.json(found);
  else {
    await cli.output.object(facts);
    for (const { phone_number, greeting } of first_calls)
      await cli.output.line(`${phone_number}: ${greeting}`);
    if (errors.length > 0) await cli.output.table(ROW_ERROR_COLUMNS, errors);
  }
  if (errors.length > 0) throw new CommandFailed('The file has errors.');
}
