import { Example } from '../../platform/validation/example';
import { IntegerField, ObjectField } from '../../platform/validation/fields';
import { TextField, TextMapField } from '../../platform/validation/text-fields';
import { MAX_VARIABLE_LENGTH, MAX_VARIABLES } from '../calls/model/call-request';

@Example({ arguments: { day: '2026-03-07', persons: 2 }, variables: { customer_name: 'Ada' } })
export class TestToolDto {
  @TextField({ optional: true, max: 128, description: 'Of the kind mcp: the name of one of its tools.' })
  tool?: string;

  @ObjectField({ maxKilobytes: 64, description: 'By the parameters of the tool.' })
  arguments: Record<string, unknown>;

  @TextMapField({
    optional: true,
    ...{ maxKeys: MAX_VARIABLES, maxNameLength: 60, maxLength: MAX_VARIABLE_LENGTH, default: {} },
    description: 'Variables of a call, for what is fixed.',
  })
  variables?: Record<string, string>;
}

@Example({
  status: 201,
  body: '{"booking":{"id":"b-17"}}',
  variables: { booking_id: 'b-17' },
  error: null,
  ms: 42,
})
export class ToolTestDto {
  @IntegerField({
    nullable: true,
    description: 'The status of the answer. null: none came, or it is the result of a server.',
  })
  status: number | null;
  @TextField({ description: 'The first 4 KB of the answer.' }) body: string;
  @ObjectField({ description: 'Values of the answer that would be variables of the call.' })
  variables: Record<string, string>;
  @TextField({ nullable: true, description: 'Why it was not done, or why its answer cannot be used.' })
  error: string | null;
  @IntegerField({ description: 'Milliseconds until the answer.' }) ms: number;
}
