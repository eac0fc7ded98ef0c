import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { Allow, ArrayMaxSize, IsArray, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { ReportedText } from '../../calls/runtime-messages/call-events.dto';
import { IsStorableJson } from '../../calls/runtime-messages/message-validation';
import {
  BooleanField,
  DateTimeField,
  IntegerField,
  NestedField,
  NumberField,
} from '../../../platform/validation/fields';
import { TextField, UuidField, WebAddressField } from '../../../platform/validation/text-fields';
import type { ReportedCriterion } from '../../../platform/messaging/wire';
import type { AnalysisFields } from './call-analysis.entity';
import { type Speaker, SPEAKERS } from './transcript-turn.entity';

const optional = true;
const MAX_TURNS = 1_000;
const MAX_FIELDS = 50;
const MAX_FIELD_NAME_LENGTH = 100;
const MAX_FIELD_LENGTH = 2_000;
const MAX_SHOWN_TURNS = 100;

/** Accepts any JSON that Postgres can store. */
const JsonField = () => applyDecorators(Allow(), IsStorableJson());

const isFieldValue = (value: unknown) =>
  value === null || ['boolean', 'number'].includes(typeof value) || isShort(value, MAX_FIELD_LENGTH);

const isShort = (value: unknown, max: number) => typeof value === 'string' && value.length <= max;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const MapField = (name: string, isItem: (item: unknown) => boolean, items: string) =>
  applyDecorators(
    JsonField(),
    ValidateBy({
      name,
      validator: {
        validate: (value: unknown) =>
          isObject(value) &&
          Object.keys(value).length <= MAX_FIELDS &&
          Object.entries(value).every(([key, item]) => isShort(key, MAX_FIELD_NAME_LENGTH) && isItem(item)),
        defaultMessage: () =>
          `$property must be an object of at most ${MAX_FIELDS} ${items}, under names of at most ${MAX_FIELD_NAME_LENGTH}`,
      },
    }),
  );

const AnalysisField = () =>
  MapField(
    'isAnalysis',
    isFieldValue,
    `booleans, numbers, nulls and texts of at most ${MAX_FIELD_LENGTH} characters`,
  );

const isCriterion = (value: unknown) =>
  isObject(value) &&
  (value.pass === null || typeof value.pass === 'boolean') &&
  (value.reason === undefined || isShort(value.reason, MAX_FIELD_LENGTH)) &&
  (value.turns === undefined || isListOfTurns(value.turns));

const isListOfTurns = (value: unknown) =>
  Array.isArray(value) &&
  value.length <= MAX_SHOWN_TURNS &&
  value.every((turn) => Number.isSafeInteger(turn) && turn >= 0);

const CriteriaField = () =>
  applyDecorators(
    MapField(
      'areCriteria',
      isCriterion,
      `answers with pass (true, false or null), turns (at most ${MAX_SHOWN_TURNS} sequences) and a reason of at most ` +
        `${MAX_FIELD_LENGTH} characters`,
    ),
    ValidateIf((_, value) => value !== undefined && value !== null),
  );

/**
 * A report of a runtime that does not change the state of its call. A report without a time has the time of its
 * arrival.
 */
class CallReportDto {
  @UuidField() conversation_id: string;
  @UuidField() token: string;
}

class ToolUseDto {
  @TextField({ max: 200 }) name: string;
  @JsonField() arguments?: unknown;
  @JsonField() result?: unknown;
}

export class TurnDto {
  @IntegerField({ min: 0 }) sequence: number;
  @TextField({ choices: SPEAKERS }) speaker: Speaker;
  @ReportedText({ max: 65_536 }) text: string;
  @DateTimeField() started_at: Date;
  @DateTimeField({ optional, nullable: true }) ended_at?: Date | null;
  @NestedField(() => ToolUseDto, { optional, nullable: true }) tool?: ToolUseDto | null;
}

export class CallTranscriptDto extends CallReportDto {
  @IsArray()
  @ArrayMaxSize(MAX_TURNS)
  @ValidateNested({ each: true })
  @Type(() => TurnDto)
  turns: TurnDto[];
}

export class CallRecordedDto extends CallReportDto {
  @WebAddressField() recording_url: string;
  @NumberField({ optional, nullable: true, min: 0 }) duration_sec?: number | null;
}

export class CallWarningDto extends CallReportDto {
  @ReportedText({ max: 100 }) code: string;
  @ReportedText({ max: 500 }) text: string;
  @DateTimeField() occurred_at: Date;
}

export class CallAnalyzedDto extends CallReportDto {
  @AnalysisField() fields: AnalysisFields;
  @CriteriaField() criteria?: Record<string, ReportedCriterion> | null;
  @BooleanField({ optional }) opt_out?: boolean;
}
