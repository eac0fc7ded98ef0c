import { type ArgumentsHost, Catch, Injectable, Logger, type RpcExceptionFilter } from '@nestjs/common';
import { type Observable, of } from 'rxjs';
import { MalformedMessageError } from '../../../platform/messaging/malformed-message.error';
import { type ClaimRefused, type IncomingRefused, MESSAGE_TYPES } from '../../../platform/messaging/wire';
import { IncomingCallCounter } from './incoming-call-counter';

const toText = (value: unknown) => (typeof value === 'string' ? value : '');

const getBody = (host: ArgumentsHost) =>
  host.switchToRpc().getData<{ conversation_id?: unknown; claim_id?: unknown } | null>() ?? {};

const toReason = ({ message }: MalformedMessageError) => `The claim is malformed: ${message}.`;

/** Replies to a malformed claim, so that the runtime's developer sees what is wrong instead of a timeout. */
@Catch(MalformedMessageError)
export class MalformedClaimFilter implements RpcExceptionFilter<MalformedMessageError> {
  private readonly logger = new Logger(MalformedClaimFilter.name);

  catch(error: MalformedMessageError, host: ArgumentsHost): Observable<{ type: string; body: ClaimRefused }> {
    this.logger.warn({ reason: error.message }, 'Refused a malformed claim');
    const body = { conversation_id: toText(getBody(host).conversation_id), reason: toReason(error) };
    return of({ type: MESSAGE_TYPES.claimRefused, body });
  }
}

/** Replies to a malformed claim of an incoming call in the same way. */
@Injectable()
@Catch(MalformedMessageError)
export class MalformedIncomingCallFilter implements RpcExceptionFilter<MalformedMessageError> {
  private readonly logger = new Logger(MalformedIncomingCallFilter.name);

  constructor(private readonly counter: IncomingCallCounter) {}

  catch(
    error: MalformedMessageError,
    host: ArgumentsHost,
  ): Observable<{ type: string; body: IncomingRefused }> {
    this.logger.warn({ reason: error.message }, 'Refused a malformed incoming call');
    this.counter.count('malformed');
    const body = { claim_id: toText(getBody(host).claim_id), reason: toReason(error) };
    return of({ type: MESSAGE_TYPES.incomingRefused, body });
  }
}
