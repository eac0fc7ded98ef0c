import type { Command } from 'commander';
import type { KeyedRequestOptions } from '../types';

/** Adds the flag with which a command that is run again does its work once. */
export const addKeyFlag = (command: Command): Command =>
  command.option('--idempotency-key <key>', 'do it once, however often the command is run with this key');

export const readKey = (command: Command): KeyedRequestOptions => {
  const key = command.getOptionValue('idempotencyKey') as string | undefined;
  return key === undefined ? {} : { idempotencyKey: key };
};
