import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { Allow, IsString } from 'class-validator';
import { DateTimeField } from '../../../platform/validation/fields';
import { storableText } from '../../../platform/validation/storable';
import { TextField, UuidField } from '../../../platform/validation/text-fields';
import { PARTY } from '../model/call-states';

const MAX_NAME_LENGTH = 100;
const MAX_COUNT = 1_000_000_000;

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null ? '' : JSON.stringify(value);
}

/** Accepts any value: a report that is refused for a text would leave its call to be considered lost. */
export const ReportedText = ({ max }: { max: number }) =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => storableText(toText(value), max)),
    IsString(),
  );

/** Accepts any value, as {@link ReportedText} does: a value that is no count is ignored. */
const ReportedCount = () =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      Number.isSafeInteger(value) && (value as number) >= 0 ? Math.min(value as number, MAX_COUNT) : null,
    ),
    Allow(),
  );

export class ClaimDto {
  @UuidField() conversation_id: string;
  @UuidField() claim_id: string;
  @TextField({ max: 200 }) worker_id: string;
}

/** The service checks the other fields, since a rejected message would keep the secret in the queue of dead events. */
export class CallJoinableDto {
  @UuidField() conversation_id: string;
  @UuidField() token: string;
  @Allow() url: unknown;
  @Allow() expires_at: unknown;
  @Allow() listen: unknown;
}

export class CallEventDto {
  @UuidField() conversation_id: string;
  @UuidField() token: string;
  @DateTimeField() occurred_at: Date;
}

/** The reason and the party are as the runtime sent them, known or unknown. */
export class CallEndedDto extends CallEventDto {
  @DateTimeField() connected_at: Date;
  @ReportedText({ max: MAX_NAME_LENGTH }) disconnect_reason: string = '';
  @ReportedText({ max: MAX_NAME_LENGTH }) disconnected_by: string = '';
  @ReportedText({ max: 20_000 }) summary: string = '';
  @ReportedText({ max: 2_000 }) process_compliance: string = '';
  @ReportedText({ max: 2_000 }) outcome: string = '';
  @ReportedCount() transcript_turns: number | null = null;
}

/** The reason and the party are as the runtime sent them, as in {@link CallEndedDto}. */
export class CallFailedDto extends CallEventDto {
  @ReportedText({ max: MAX_NAME_LENGTH }) disconnect_reason: string = '';
  @ReportedText({ max: MAX_NAME_LENGTH }) disconnected_by: string = PARTY.system;
}
