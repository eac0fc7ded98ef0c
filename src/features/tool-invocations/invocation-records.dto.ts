import { IntersectionType } from '@nestjs/swagger';
import { ExportQuery } from '../../platform/http/export-formats';
import { PageQuery } from '../../platform/http/pagination';
import { Example } from '../../platform/validation/example';
import { DateTimeField } from '../../platform/validation/fields';
import { TextField } from '../../platform/validation/text-fields';
import { INVOCATION_STATE, INVOCATION_STATES, type InvocationState } from './tool-invocation.entity';

const optional = true;

export const MAX_NOTE_LENGTH = 1_000;

class InvocationFilterQuery {
  @TextField({ optional, max: 60, description: 'The name of the tool, exact.' }) tool?: string;
  @TextField({ optional, choices: INVOCATION_STATES }) state?: InvocationState;
  @TextField({ optional, max: 100 }) agent_id?: string;
  @TextField({ optional, max: 100 }) call_id?: string;
  @DateTimeField({ optional, description: 'Asked at this time or later.' }) start_date?: Date;
  @DateTimeField({ optional, endOfDay: true, description: 'Asked at this time or earlier.' }) end_date?: Date;
}

export class ListInvocationsQuery extends IntersectionType(InvocationFilterQuery, PageQuery) {}

export class ExportInvocationsQuery extends IntersectionType(InvocationFilterQuery, ExportQuery) {}

const RESOLUTIONS = [INVOCATION_STATE.done, INVOCATION_STATE.refused] as const;

@Example({ state: 'done', note: 'The shop has the booking.' })
export class ResolveInvocationDto {
  @TextField({ choices: RESOLUTIONS, description: '`done`: it was done. `refused`: it was not.' })
  state: (typeof RESOLUTIONS)[number];

  @TextField({ optional, max: MAX_NOTE_LENGTH, default: '', description: 'How it was found out.' })
  note?: string;
}
