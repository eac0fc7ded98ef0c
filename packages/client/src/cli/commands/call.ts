import type { Command } from 'commander';
import { BODY_FIELDS } from '../../generated/cli-options';
import type { Schemas } from '../../types';
import type { Cli } from '../cli';
import { addCommand, isJson, parseCount, printCreated } from '../command';
import { CommandFailed } from '../errors';
import { addFields, addVariable, type BodyRenames, readBody } from '../flags';
import { addKeyFlag, readKey } from '../key-flag';

/** The number is an argument, and a call to a number is a phone call. */
const NO_FLAGS: BodyRenames<'StartCallDto'> = { to_number: null, call_type: null };

export function addCallCommand(program: Command, cli: Cli): void {
  const call = addCommand(program, 'call <agent> <number>', 'start a call and print its id')
    .option('--var <name=value>', 'a variable of the prompt and the greeting; may be repeated', addVariable)
    .option(
      '--wait',
      'wait until the call has ended; exit with 1 if it failed; Ctrl-C ends the waiting, not the call',
    )
    .option('--timeout <seconds>', 'how long to wait', parseCount, 900);
  addKeyFlag(call);
  addFields(call, BODY_FIELDS.StartCallDto, NO_FLAGS);
  call.action(async (agentId: string, number: string) => {
    const fields: Schemas['StartCallDto'] = {
      ...readBody(call, 'StartCallDto', NO_FLAGS),
      to_number: number,
      dynamic_variables: call.getOptionValue('var') as Record<string, string> | undefined,
    };
    const parley = await cli.connect();
    const started = await parley.calls.start(agentId, fields, readKey(call));
    const id = started.conversation_id;
    if (call.getOptionValue('wait') !== true) return printCreated(cli, call, id, started);
    // Somebody who stops waiting needs the id.
    cli.output.note(`Waiting for the call ${id}`);
    const timeoutMs = Number(call.getOptionValue('timeout')) * 1_000;
    await printEnd(cli, call, await parley.calls.waitForEnd(id, { timeoutMs }));
  });
}

/** Prints how a call has ended. @throws CommandFailed if it was not connected */
export async function printEnd(cli: Cli, command: Command, ended: Schemas['CallDetailDto']): Promise<void> {
  const { status, disconnect_reason, duration_sec, metadata } = ended;
  if (isJson(command)) await cli.output.json(ended);
  else {
    await cli.output.line(`${status}: ${disconnect_reason}, ${duration_sec} s connected`);
    if (metadata.summary) await cli.output.line(metadata.summary);
  }
  checkSuccess(ended);
}

/** @throws CommandFailed if the call was not connected */
export function checkSuccess({ status, disconnect_reason }: Schemas['CallDetailDto']): void {
  if (status === 'failed') throw new CommandFailed(`The call failed: ${disconnect_reason}`);
}
