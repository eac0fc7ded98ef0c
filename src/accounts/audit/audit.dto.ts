import { PageQuery } from '../../platform/http/pagination';
import { ActorDto } from '../../platform/http/actor.dto';
import { ACTOR_KINDS, type ActorKind } from '../../platform/http/actor';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME } from '../../platform/validation/example';
import { DateTimeField, NestedField, ObjectField } from '../../platform/validation/fields';
import { TextField } from '../../platform/validation/text-fields';
import { AUDIT_ACTIONS, type AuditAction, TARGET_KINDS, type TargetKind } from './audit-actions';

const optional = true;
const nullable = true;

export class ListAuditQuery extends PageQuery {
  @TextField({ optional, choices: ACTOR_KINDS }) actor_kind?: ActorKind;
  @TextField({ optional, max: 255, description: 'Exact.' }) actor_id?: string;
  @TextField({ optional, choices: AUDIT_ACTIONS }) action?: AuditAction;
  @TextField({ optional, choices: TARGET_KINDS }) target_kind?: TargetKind;
  @TextField({ optional, max: 255, description: 'Exact.' }) target_id?: string;
  @TextField({ optional, max: 128, description: 'The X-Request-Id of the request.' }) request_id?: string;
  @TextField({ optional, max: 64, description: 'The address of the client, exact.' }) ip?: string;
  @DateTimeField({ optional, description: 'Changes at this time or later.' }) start_date?: Date;
  @DateTimeField({ optional, endOfDay: true, description: 'Changes at this time or earlier.' })
  end_date?: Date;
}

export class AuditTargetDto {
  @TextField({ choices: TARGET_KINDS }) kind: TargetKind;
  @TextField({ nullable, description: 'null: the workspace has only one, or the change is about many.' })
  id: string | null;
  @TextField({ nullable, description: 'Its name then, if it has one.' }) name: string | null;
}

@Example({
  at: EXAMPLE_TIME,
  actor: { kind: 'key', id: EXAMPLE_IDS.apiKey, name: 'Deployment' },
  action: 'agent.updated',
  target: { kind: 'agent', id: EXAMPLE_IDS.agent, name: 'Front desk' },
  details: { changed: ['greeting', 'llmConfig.temperature'], version: 4 },
  request_id: EXAMPLE_IDS.request,
  ip: '203.0.113.7',
})
export class AuditEntryDto {
  @DateTimeField() at: Date;
  @NestedField(() => ActorDto, {
    description:
      'Its id is that of the API key, the session or the person; of a token its user, of an operator the user of the operating ' +
      'system, of a runtime its worker id.',
  })
  actor: ActorDto;
  @TextField({ choices: AUDIT_ACTIONS }) action: AuditAction;
  @NestedField(() => AuditTargetDto) target: AuditTargetDto;
  @ObjectField({ description: 'Names of changed fields, ids and counts; never secrets or texts.' })
  details: object;
  @TextField({ nullable, description: 'null: the operator or a runtime made the change.' })
  request_id: string | null;
  @TextField({ nullable, description: 'The address of the client.' }) ip: string | null;
}
