import { type ArgumentsHost, Catch, Logger, type RpcExceptionFilter } from '@nestjs/common';
import { type Observable, of } from 'rxjs';
import { MalformedMessage } from '../messaging/malformed-message';
import { type ClaimRefused, MESSAGE_TYPES } from '../messaging/wire';

/** Tells whoever wrote the worker what is wrong with its claims, which would else wait for an answer in vain. */
@Catch(MalformedMessage)
export class MalformedClaimFilter implements RpcExceptionFilter<MalformedMessage> {
  private readonly logger = new Logger(MalformedClaimFilter.name);

  catch(
    { message }: MalformedMessage,
    host: ArgumentsHost,
  ): Observable<{ type: string; body: ClaimRefused }> {
    const { conversation_id } = host.switchToRpc().getData<{ conversation_id?: unknown } | null>() ?? {};
    this.logger.warn({ reason: message }, 'Refused a claim that can not be understood');
    const body: ClaimRefused = {
      conversation_id: typeof conversation_id === 'string' ? conversation_id : '',
      reason: `The claim can not be understood: ${message}.`,
    };
    return of({ type: MESSAGE_TYPES.claimRefused, body });
  }
}
