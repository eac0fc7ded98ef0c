import type { Type } from '@nestjs/common';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { WorkspacesService } from '../workspaces/workspaces.service';

/** The command line was not understood. */
export class UsageError extends Error {}

/** The services of the application. */
export type Services = <Service>(type: Type<Service>) => Service;

type Options = NonNullable<ParseArgsConfig['options']>;

type Values<Shape extends Options> = {
  [Name in keyof Shape]?: Shape[Name]['type'] extends 'boolean'
    ? boolean
    : Shape[Name] extends { multiple: true }
      ? string[]
      : string;
};

export const text = { type: 'string' } as const;
export const texts = { type: 'string', multiple: true } as const;

interface Definition<Shape extends Options> {
  /** The options, as the usage shows them. */
  usage: string;
  summary: string;
  options: Shape;
  run: (values: Values<Shape>, services: Services) => Promise<object>;
}

export interface Command {
  usage: string;
  summary: string;
  /** @throws UsageError */
  parse(args: string[]): { asJson: boolean; run: (services: Services) => Promise<object> };
}

export const command = <Shape extends Options>({
  usage,
  summary,
  options,
  run,
}: Definition<Shape>): Command => ({
  usage,
  summary,
  parse(args) {
    let values: Values<Shape> & { json?: boolean };
    try {
      const withJson = { ...options, json: { type: 'boolean' } as const };
      values = parseArgs({ args, options: withJson, allowNegative: true }).values;
    } catch (error) {
      throw new UsageError((error as Error).message);
    }
    return { asJson: values.json ?? false, run: (services) => run(values, services) };
  },
});

export function required(value: string | undefined, name: string): string {
  if (!value) throw new UsageError(`--${name} is missing.`);
  return value;
}

export function wholeNumber(value: string, name: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new UsageError(`--${name} must be a whole number.`);
  return Number(value);
}

/** The id of a workspace that exists. */
export async function workspaceFrom({ workspace }: { workspace?: string }, services: Services) {
  const { id } = await services(WorkspacesService).get(required(workspace, 'workspace'));
  return id;
}
