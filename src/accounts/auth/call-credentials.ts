import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, READ_SCOPE } from '../../config';
import { type Caller, toScope } from '../../platform/http/access';
import { workspaceSuspended } from '../workspaces/workspaces.errors';
import { CallCredentialsRepository } from './call-credentials.repository';
import { readCallToken } from './call-token';

/** The credentials of calls, which are not stored: the row of the call decides whether one is valid. */
@Injectable()
export class CallCredentials {
  constructor(
    private readonly calls: CallCredentialsRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * @returns null if the token is not valid
   * @throws 403 if the workspace is suspended
   */
  async authenticate(bearer: string): Promise<Caller | null> {
    const read = readCallToken(bearer);
    if (!read) return null;
    const call = await this.calls.find(read.conversationId);
    if (!call || !read.matches(call.token)) return null;
    if (call.isSuspended) throw workspaceSuspended();
    return {
      workspaceId: call.workspaceId,
      userId: call.userId,
      scopes: [toScope(call.agentId), READ_SCOPE],
      credential: {
        kind: 'token',
        name: `call ${call.id}`,
        keyId: undefined,
        callId: call.id,
        agentOfCall: { agentId: call.agentId, agentVersion: call.agentVersion, endedAs: call.endedAs },
        exp: Math.floor(call.expiresAt.getTime() / 1_000),
      },
      requestsPerMinute: call.requestsPerMinute ?? this.config.RATE_LIMIT_PER_MINUTE,
    };
  }
}
