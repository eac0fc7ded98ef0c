import { DateTimeField } from '../common/fields';
import { TextField, UuidField } from '../common/text-fields';
import { PARTIES, type Party, WORKER_DISCONNECT_REASONS } from './conversation.entity';

type WorkerDisconnectReason = (typeof WORKER_DISCONNECT_REASONS)[number];

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

export class CallEndedDto extends CallEventDto {
  @DateTimeField() connected_at: Date;
  @TextField({ choices: WORKER_DISCONNECT_REASONS }) disconnect_reason: WorkerDisconnectReason;
  @TextField({ choices: PARTIES }) disconnected_by: Party;
  @TextField({ optional: true, max: 20_000 }) summary: string = '';
  @TextField({ optional: true, max: 2_000 }) process_compliance: string = '';
  @TextField({ optional: true, max: 2_000 }) outcome: string = '';
}

export class CallFailedDto extends CallEventDto {
  @TextField({ choices: WORKER_DISCONNECT_REASONS }) disconnect_reason: WorkerDisconnectReason;
  @TextField({ optional: true, choices: PARTIES }) disconnected_by: Party = 'system';
}
