import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsString } from 'class-validator';
import { DateTimeField } from '../validation/fields';
import { storableText } from '../validation/storable';
import { TextField, UuidField } from '../validation/text-fields';

const LONGEST_NAME = 100;

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null ? '' : JSON.stringify(value);
}

/** Takes whatever comes: were a report refused for its prose, its call would be taken for lost, and be charged as such. */
const ReportedText = ({ max }: { max: number }) =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => storableText(textOf(value), max)),
    IsString(),
  );

export class ClaimDto {
  @UuidField() conversation_id: string;
  @UuidField() claim_id: string;
  @TextField({ max: 200 }) worker_id: string;
}

export class CallEventDto {
  @UuidField() conversation_id: string;
  @UuidField() token: string;
  @DateTimeField() occurred_at: Date;
}

/** The reason and the party are as the worker named them, known or not. */
export class CallEndedDto extends CallEventDto {
  @DateTimeField() connected_at: Date;
  @ReportedText({ max: LONGEST_NAME }) disconnect_reason: string = '';
  @ReportedText({ max: LONGEST_NAME }) disconnected_by: string = '';
  @ReportedText({ max: 20_000 }) summary: string = '';
  @ReportedText({ max: 2_000 }) process_compliance: string = '';
  @ReportedText({ max: 2_000 }) outcome: string = '';
}

/** Like {@link CallEndedDto}. */
export class CallFailedDto extends CallEventDto {
  @ReportedText({ max: LONGEST_NAME }) disconnect_reason: string = '';
  @ReportedText({ max: LONGEST_NAME }) disconnected_by: string = 'system';
}
