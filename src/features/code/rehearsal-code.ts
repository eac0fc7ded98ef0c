import { Injectable } from '@nestjs/common';
import { toBody } from '../../platform/http/to-dto';
import { readRehearsal, type RehearsalValues } from '../rehearsals/rehearsal-rules';
import { WriteRehearsalDto } from '../rehearsals/rehearsals.dto';
import { presentDefinition } from '../rehearsals/rehearsals.presenter';
import { RehearsalsService } from '../rehearsals/rehearsals.service';
import { assertSameName } from './assert-same-name';
import { splitSlug } from './code-kinds';
import type { Applying, ChangedResource, CodeOfKind } from './code-of-kind';
import type { LocatedResource } from './code.repository';
import type { Definition } from './definition';

@Injectable()
export class RehearsalCode implements CodeOfKind<RehearsalValues, RehearsalValues> {
  constructor(private readonly rehearsals: RehearsalsService) {}

  async read(slug: string, definition: Definition): Promise<RehearsalValues> {
    const { name } = splitSlug(slug);
    assertSameName(name, definition);
    return readRehearsal(await toBody(WriteRehearsalDto, { ...definition, name }), 'body');
  }

  describe(values: RehearsalValues): Definition {
    const { name: _, ...definition } = presentDefinition(values);
    return definition;
  }

  describeGiven(values: RehearsalValues): Definition {
    return this.describe(values);
  }

  async create(slug: string, values: RehearsalValues, applying: Applying): Promise<ChangedResource> {
    const { workspaceId, transaction } = applying;
    return this.rehearsals.insert(workspaceId, findAgent(slug, applying), values, transaction);
  }

  async change(
    { id, slug }: LocatedResource,
    values: RehearsalValues,
    applying: Applying,
  ): Promise<ChangedResource> {
    const { workspaceId, transaction } = applying;
    return this.rehearsals.change(workspaceId, findAgent(slug, applying), id, values, transaction);
  }

  async delete({ id, slug }: LocatedResource, applying: Applying): Promise<ChangedResource> {
    const { workspaceId, transaction } = applying;
    return this.rehearsals.delete(workspaceId, findAgent(slug, applying), id, transaction);
  }
}

const findAgent = (slug: string, { agentIds }: Applying) => agentIds.get(splitSlug(slug).agent) ?? '';
