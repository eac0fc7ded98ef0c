import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../platform/database/database';
import { validationFailed } from '../../platform/http/errors';
import { toBody } from '../../platform/http/to-dto';
import { WriteToolDto } from '../tools/tools.dto';
import { ToolsService, type ToolValues } from '../tools/tools.service';
import { assertSameName } from './assert-same-name';
import type { Applying, ChangedResource, CodeOfKind } from './code-of-kind';
import type { LocatedResource } from './code.repository';
import type { Definition } from './definition';
import { completeTool, describeTool, type ToolContent } from './describe-tool';

type Secrets = Record<string, string>;

export interface GivenTool {
  body: WriteToolDto;
  /** Names, whose values stay, or values by name. */
  secrets: string[] | Secrets;
}

@Injectable()
export class ToolCode implements CodeOfKind<GivenTool, ToolContent> {
  readonly describe = describeTool;

  constructor(private readonly tools: ToolsService) {}

  async read(slug: string, { secrets = [], ...definition }: Definition): Promise<GivenTool> {
    assertSameName(slug, definition);
    const body = await toBody(WriteToolDto, { ...definition, name: slug });
    if (!isSecrets(secrets))
      throw validationFailed([
        { field: 'body.secrets', message: 'secrets must be a list of names, or an object of texts by name' },
      ]);
    return { body: JSON.parse(JSON.stringify(body)) as WriteToolDto, secrets };
  }

  describeGiven({ body, secrets }: GivenTool): Definition {
    return describeTool(completeTool(body, namesOf(secrets)));
  }

  /** Whether a tool has other values of secrets than these; its definition has their names only. */
  async hasOtherSecrets(
    { id }: LocatedResource,
    { secrets }: GivenTool,
    workspaceId: string,
    transaction?: Transaction,
  ): Promise<boolean> {
    if (Array.isArray(secrets)) return false;
    const tool = transaction
      ? await this.tools.lockOne(workspaceId, id, transaction)
      : await this.tools.find(workspaceId, id);
    return !isDeepStrictEqual(tool.secrets, secrets);
  }

  /** Asks the server of a tool for what the definition allows. It runs in no transaction. @throws 400, 422, 429 */
  async discover(
    workspaceId: string,
    given: GivenTool,
    located: LocatedResource | undefined,
  ): Promise<ToolValues> {
    const stored = located ? (await this.tools.find(workspaceId, located.id)).secrets : {};
    return this.toValues(workspaceId, given, stored);
  }

  async create(slug: string, given: GivenTool, applying: Applying): Promise<ChangedResource> {
    const { workspaceId, transaction } = applying;
    const values = await this.complete(slug, given, {}, applying);
    return this.tools.insert(workspaceId, values, transaction);
  }

  async change(
    { id, slug }: LocatedResource,
    given: GivenTool,
    applying: Applying,
  ): Promise<ChangedResource> {
    const { workspaceId, transaction } = applying;
    const tool = await this.tools.lockOne(workspaceId, id, transaction);
    return this.tools.change(tool, await this.complete(slug, given, tool.secrets, applying), transaction);
  }

  async delete({ id }: LocatedResource, { workspaceId, transaction }: Applying): Promise<ChangedResource> {
    return this.tools.delete(await this.tools.lockOne(workspaceId, id, transaction), transaction);
  }

  /** Another request may have changed the secrets while a server was asked for its tools. */
  private async complete(
    slug: string,
    given: GivenTool,
    stored: Secrets,
    { workspaceId, discovered }: Applying,
  ): Promise<ToolValues> {
    const values = discovered.get(slug);
    if (!values) return this.toValues(workspaceId, given, stored);
    return { ...values, secrets: chooseSecrets(stored, given.secrets) };
  }

  private toValues(workspaceId: string, { body, secrets }: GivenTool, stored: Secrets): Promise<ToolValues> {
    return this.tools.toValues(workspaceId, { ...body, secrets: chooseSecrets(stored, secrets) }, {});
  }
}

export const hasServer = ({ body }: GivenTool) => body.kind === 'mcp';

const isText = (value: unknown): value is string => typeof value === 'string';

function isSecrets(value: unknown): value is string[] | Secrets {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every(isText);
}

const namesOf = (secrets: string[] | Secrets) => [
  ...new Set(Array.isArray(secrets) ? secrets : Object.keys(secrets)),
];

/** @throws 400 on the names without a value */
function chooseSecrets(stored: Secrets, secrets: string[] | Secrets): Secrets {
  if (!Array.isArray(secrets)) return secrets;
  const missing = secrets.flatMap((name, index) =>
    Object.hasOwn(stored, name)
      ? []
      : [{ field: `body.secrets.${index}`, message: `the tool has no secret ${name} yet: give its value` }],
  );
  if (missing.length > 0) throw validationFailed(missing);
  return Object.fromEntries(secrets.map((name) => [name, stored[name] ?? '']));
}
