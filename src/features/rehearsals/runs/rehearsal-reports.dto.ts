import { Allow } from 'class-validator';
import {
  BooleanField,
  IntegerField,
  NestedField,
  NestedListField,
  NumberField,
  ObjectField,
} from '../../../platform/validation/fields';
import { TextField, TextMapField, UuidField } from '../../../platform/validation/text-fields';
import {
  type Judgement,
  PARTIES,
  type Party,
  REHEARSAL_END_REASONS,
  type RehearsalEndReason,
  type RehearsalFacts,
  SPEAKERS,
  type Speaker,
} from '../../../platform/messaging/wire';
import { IsStorableJson } from '../../calls/runtime-messages/message-validation';

const optional = true;
const nullable = true;

/** The message has 65,536 bytes at most. */
export const MAX_REPORTED_TEXT = 65_536;
export const MAX_REPORTED_TURNS = 2_000;
export const MAX_VARIABLES = 1_000;
const MAX_COUNT = 100_000_000;
const max = MAX_REPORTED_TEXT;

class ReportedToolUseDto {
  @TextField({ max }) name: string;
  @ObjectField() @IsStorableJson() arguments: Record<string, unknown>;
  @Allow() @IsStorableJson() result: unknown;
  @BooleanField() closed: boolean;
  @BooleanField({ optional }) asked?: boolean;
}

class ReportedTurnDto {
  @TextField({ choices: SPEAKERS }) speaker: Speaker;
  @TextField({ max }) text: string;
  @IntegerField({ min: 0, max: MAX_COUNT }) at_ms: number;
  @NestedField(() => ReportedToolUseDto, { optional }) tool?: ReportedToolUseDto;
}

class ReportedEndDto {
  @TextField({ choices: REHEARSAL_END_REASONS }) reason: RehearsalEndReason;
  @TextField({ choices: PARTIES }) by: Party;
}

class ReportedFiguresDto {
  @IntegerField({ min: 0, max: MAX_COUNT }) turns: number;
  @IntegerField({ min: 0, max: MAX_COUNT, nullable }) turn_gap_ms_p95: number | null;
  @IntegerField({ min: 0, max: MAX_COUNT, nullable }) interrupted_ms: number | null;
  @NumberField({ min: 0, max: MAX_COUNT }) seconds: number;
  @IntegerField({ min: 0, max: MAX_COUNT }) tokens: number;
}

class ReportedFactsDto implements RehearsalFacts {
  @NestedListField(() => ReportedTurnDto, { maxItems: MAX_REPORTED_TURNS }) turns: ReportedTurnDto[];
  @NestedField(() => ReportedEndDto) end: ReportedEndDto;
  @TextMapField({ maxKeys: MAX_VARIABLES, maxNameLength: max, maxLength: max }) variables: Record<
    string,
    string
  >;
  @TextField({ max }) outcome: string;
  @BooleanField() opt_out: boolean;
  @NestedField(() => ReportedFiguresDto) figures: ReportedFiguresDto;
}

export class CallRehearsedDto {
  @UuidField() conversation_id: string;
  @UuidField() token: string;
  @NestedField(() => ReportedFactsDto) facts: ReportedFactsDto;
}

const MAX_ANSWERS = 50;
const MAX_REASON = 2_000;

class JudgementDto implements Judgement {
  @BooleanField() pass: boolean;
  @TextField({ max: MAX_REASON }) reason: string;
}

export class CallJudgedDto {
  @UuidField() conversation_id: string;
  @UuidField() token: string;
  @NestedListField(() => JudgementDto, { maxItems: MAX_ANSWERS }) answers: JudgementDto[];
  @IntegerField({ min: 0, max: MAX_COUNT }) tokens: number;
}
