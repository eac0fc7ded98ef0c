import { PageQuery } from '../../platform/http/pagination';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME, getExample } from '../../platform/validation/example';
import {
  BooleanField,
  DateTimeField,
  IntegerField,
  ListField,
  NestedListField,
  ObjectField,
} from '../../platform/validation/fields';
import { TextsField } from '../../platform/validation/item-fields';
import { SearchField, TextField, TextMapField, WebAddressField } from '../../platform/validation/text-fields';
import {
  DEFAULT_TIMEOUT_MS,
  MAX_TIMEOUT_MS,
  TOOL_EFFECTS,
  TOOL_KINDS,
  TOOL_METHODS,
  TOOL_MODES,
  type GivenSecrets,
  type ToolEffect,
  type ToolKind,
  type ToolMethod,
  type ToolMode,
  type ToolResult,
} from './tool-definition';
import type { ParametersSchema } from './parameters-schema';

export const TOOL_NAME = {
  matches: /^[a-z][a-z0-9_]{0,59}$/,
  message: 'must match [a-z][a-z0-9_]{0,59}',
};

const optional = true;
const nullable = true;

const MAX_FIXED = 20;
const MAX_HEADERS = 20;
const MAX_RESULTS = 20;

export class ListToolsQuery extends PageQuery {
  @SearchField({ optional, max: 200, description: 'A part of the name.' }) search?: string;
}

@Example({ variable: 'booking_id', pointer: '/booking/id' })
export class ToolResultDto implements ToolResult {
  @TextField({ min: 1, max: 60 }) variable: string;
  @TextField({ max: 200, description: 'A JSON Pointer (RFC 6901).' }) pointer: string;
}

const EXAMPLE = {
  name: 'book_table',
  kind: 'http',
  description: 'Books a table. Ask for the day and the number of persons before.',
  parameters: {
    type: 'object',
    properties: { day: { type: 'string' }, persons: { type: 'integer', minimum: 1, maximum: 12 } },
    required: ['day', 'persons'],
  },
  url: 'https://shop.example.com/bookings',
  method: 'POST',
  headers: { Authorization: 'Bearer {{secret:API_KEY}}' },
  fixed: { channel: 'phone', call: '{{call_id}}' },
  effect: 'once',
  idempotent: true,
  timeout_ms: 8_000,
  mode: 'wait',
  confirm: false,
  say: 'One moment, please.',
  results: [{ variable: 'booking_id', pointer: '/booking/id' }],
} as const;

@Example({ ...EXAMPLE, secrets: { API_KEY: 'the key of the shop' } })
export class WriteToolDto {
  @TextField({
    pattern: TOOL_NAME,
    description:
      'The name by which agents have the tool in their `actions`, and by which the model asks for it.',
  })
  name: string;

  @TextField({
    optional,
    choices: TOOL_KINDS,
    default: 'http',
    description:
      '`http` is a request to `url`; `mcp` are tools of the server at `url`, over streamable HTTP.',
  })
  kind?: ToolKind;

  @TextsField({
    optional,
    ...{ max: 128, maxItems: 20 },
    description:
      'Of the kind mcp: the names of the tools that are allowed, 1 to 20. A model knows each as `name_tool`, with the ' +
      'schema that the server has now.',
  })
  tools?: string[];

  @TextField({ min: 1, max: 1_000, description: 'When and how the model is to use it.' }) description: string;

  @ObjectField({
    optional,
    maxKilobytes: 32,
    default: {},
    description:
      'A JSON Schema of the type object: string, number, integer, boolean, array and object, with enum, required, ' +
      'items, pattern (RE2), lengths and ranges, at most 5 levels deep. `{}`: no parameters.',
  })
  parameters?: ParametersSchema;

  @WebAddressField({ description: '`{name}` in its path is a required parameter.' }) url: string;

  @TextField({ optional, choices: TOOL_METHODS, default: 'POST' }) method?: ToolMethod;

  @TextMapField({
    optional,
    ...{ maxKeys: MAX_HEADERS, maxNameLength: 100, maxLength: 2_000, default: {} },
    description: '`{{secret:NAME}}` in a value is a secret of the tool.',
  })
  headers?: Record<string, string>;

  @ObjectField({
    optional,
    maxKilobytes: 32,
    default: {},
    description:
      'Values by name, at most 10. Answers have the names only. One that is left out stays, and null removes it.',
  })
  secrets?: GivenSecrets;

  @TextMapField({
    optional,
    ...{ maxKeys: MAX_FIXED, maxNameLength: 60, maxLength: 2_000, default: {} },
    description:
      'Sent with the arguments, and not shown to the model. `{{name}}` is a variable of the call, or call_id, ' +
      'agent_id, to_number or from_number.',
  })
  fixed?: Record<string, string>;

  @TextField({
    optional,
    choices: TOOL_EFFECTS,
    description:
      '`read` changes nothing, `once` happens once for the same arguments in a call, `repeatable` at each asking. ' +
      'The default is once, and read of the method GET; of the kind mcp what the server says of each tool.',
  })
  effect?: ToolEffect;

  @TextsField({
    optional,
    max: 60,
    maxItems: 100,
    description: 'The parameters that make two askings the same. All if left out; `[]`: once a call.',
  })
  once_by?: string[];

  @BooleanField({
    optional,
    description:
      'Whether the address honours Idempotency-Key, so that a request may be sent again. The default is false; of the ' +
      'kind mcp what the server says of each tool.',
  })
  idempotent?: boolean;

  @IntegerField({
    optional,
    ...{ min: 500, max: MAX_TIMEOUT_MS.background, default: DEFAULT_TIMEOUT_MS },
    description: 'At most 60,000 unless the mode is background.',
  })
  timeout_ms?: number;

  @TextField({
    optional,
    choices: TOOL_MODES,
    default: 'wait',
    description: 'background: the model goes on.',
  })
  mode?: ToolMode;

  @BooleanField({ optional, default: false, description: 'Whether the person is asked first.' })
  confirm?: boolean;

  @TextField({
    optional,
    max: 200,
    default: '',
    description: 'Spoken if the tool takes longer than a second.',
  })
  say?: string;

  @NestedListField(() => ToolResultDto, {
    optional,
    maxItems: MAX_RESULTS,
    description: 'Values of the answer that become variables of the call.',
  })
  results?: ToolResultDto[];
}

const EXAMPLE_SCHEMA = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] };

@Example({
  ...{ name: 'search', description: 'Searches the orders.', parameters: EXAMPLE_SCHEMA },
  annotations: { readOnlyHint: true },
})
export class ServerToolDto {
  @TextField() name: string;
  @TextField() description: string;
  @ObjectField({ description: 'The JSON Schema of the server.' }) parameters: Record<string, unknown>;
  @ObjectField({ description: 'What the server says of it: readOnlyHint, idempotentHint.' })
  annotations: Record<string, unknown>;
}

@Example({ ...getExample(ServerToolDto), allowed: true, changed: false })
export class DiscoveredToolDto extends ServerToolDto {
  @BooleanField({ description: 'Whether agents may have it.' }) allowed: boolean;
  @BooleanField({ description: 'Whether it differs from what is stored, which is what models know.' })
  changed: boolean;
}

@Example({ tools: [getExample(DiscoveredToolDto)] })
export class DiscoveredToolsDto {
  @ListField(() => DiscoveredToolDto) tools: DiscoveredToolDto[];
}

@Example({ tool_id: EXAMPLE_IDS.tool, ...EXAMPLE, once_by: null, tools: [], discovered: [] })
export class PinnedToolDto {
  @TextField() tool_id: string;
  @TextField() name: string;
  @TextField({ choices: TOOL_KINDS }) kind: ToolKind;
  @TextField() description: string;
  @ObjectField() parameters: ParametersSchema;
  @TextField({ format: 'uri' }) url: string;
  @TextField({ choices: TOOL_METHODS }) method: ToolMethod;
  @TextMapField({ maxKeys: MAX_HEADERS, maxNameLength: 100, maxLength: 2_000 }) headers: Record<
    string,
    string
  >;
  @TextMapField({ maxKeys: MAX_FIXED, maxNameLength: 60, maxLength: 2_000 }) fixed: Record<string, string>;
  @TextField({ nullable, choices: TOOL_EFFECTS, description: 'null: as the server says of each tool.' })
  effect: ToolEffect | null;
  @TextsField({ nullable, description: 'null: all parameters.' }) once_by: string[] | null;
  @BooleanField({ nullable, description: 'null: as the server says of each tool.' }) idempotent:
    boolean | null;
  @IntegerField() timeout_ms: number;
  @TextField({ choices: TOOL_MODES }) mode: ToolMode;
  @BooleanField() confirm: boolean;
  @TextField() say: string;
  @ListField(() => ToolResultDto) results: ToolResultDto[];
  @TextsField({ description: 'Of the kind mcp: the names of the allowed tools.' }) tools: string[];
  @ListField(() => ServerToolDto, { description: 'Of the kind mcp: the allowed tools as they are stored.' })
  discovered: ServerToolDto[];
}

@Example({
  ...getExample(PinnedToolDto),
  secrets: ['API_KEY'],
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
})
export class ToolDto extends PinnedToolDto {
  @TextsField({ description: 'The names of the secrets.' }) secrets: string[];
  @DateTimeField() created_at: Date;
  @DateTimeField() updated_at: Date;
}
