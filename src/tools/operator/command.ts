import type { Type } from '@nestjs/common';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { WorkspacesService } from '../../accounts/workspaces/workspaces.service';

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

interface Definition<Shape extends Options, Result extends object> {
  /** The options, as the usage shows them. */
  usage: string;
  summary: string;
  options: Shape;
  /** Whether the command runs on a database that is behind this release. */
  migratesItself?: boolean;
  run: (values: Values<Shape>, services: Services) => Promise<Result>;
  /** Whether the command exits with 1 after its result is printed. */
  hasFailed?: (result: Result) => boolean;
}

interface Outcome {
  result: object;
  exitCode: 0 | 1;
}

export interface Command {
  usage: string;
  summary: string;
  migratesItself: boolean;
  /** @throws UsageError */
  parse(args: string[]): { asJson: boolean; run: (services: Services) => Promise<Outcome> };
}

export const command = <Shape extends Options, Result extends object>({
  usage,
  summary,
  options,
  migratesItself = false,
  run,
  hasFailed = () => false,
}: Definition<Shape, Result>): Command => ({
  usage,
  summary,
  migratesItself,
  parse(args) {
    let values: Values<Shape> & { json?: boolean };
    try {
      const withJson = { ...options, json: { type: 'boolean' } as const };
      values = parseArgs({ args, options: withJson, allowNegative: true }).values;
    } catch (error) {
      throw new UsageError((error as Error).message);
    }
    return {
      asJson: values.json ?? false,
      async run(services) {
        const result = await run(values, services);
        return { result, exitCode: hasFailed(result) ? 1 : 0 };
      },
    };
  },
});

export function required(value: string | undefined, name: string): string {
  if (!value) throw new UsageError(`--${name} is missing.`);
  return value;
}

/** @returns undefined if there is no name */
export function nameFrom(value: string | undefined, max: number): string | undefined {
  const name = value?.trim();
  if (name === '' || (name && name.length > max)) {
    throw new UsageError(`--name must have 1 to ${max} characters.`);
  }
  return name;
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
