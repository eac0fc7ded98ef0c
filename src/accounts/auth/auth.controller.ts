import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped, UnscopedApiKey } from '../../platform/http/access';
import { Audited } from '../audit/audited';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { ApiRequestBody } from '../../platform/http/request-body';
import { PageQuery } from '../../platform/http/pagination';
import { quotaReached } from '../workspaces/workspaces.errors';
import type { RevokedKey } from './api-keys.repository';
import { ApiKeysService } from './api-keys.service';
import { ApiKeyDto, CreateApiKeyDto, CreatedApiKeyDto, CreateTokenDto, TokenDto } from './auth.dto';
import { apiKeyNotFound, apiKeyRequired, tokensIssuedElsewhere } from './auth.errors';
import { type IssuedToken, TokensService } from './tokens.service';

@ApiTags('Credentials')
@Controller('api/auth')
export class AuthController {
  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly tokens: TokensService,
  ) {}

  @Post('api-keys')
  @UnscopedApiKey()
  @Audited<CreatedApiKeyDto>('api_key.created', ({ result: { keyId, name } }) => ({ id: keyId, name }))
  @ApiRequestBody(CreateApiKeyDto)
  @ApiEnvelopeResponse({
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description:
      'Creates an API key for the whole workspace, or for less of it if it has a scope. The key is ' +
      'shown only in this answer; the server stores its hash. A key that a credential with a cap of calls a day creates ' +
      'shares this cap. Requires an API key that is not limited to agents.',
    cost: 'No credits. Counts towards the quota of API keys.',
    status: 201,
    message: 'API key created',
    data: CreatedApiKeyDto,
    errors: [apiKeyRequired(), quotaReached('api_keys', { limit: 100, used: 100 })],
  })
  createApiKey(
    @CurrentCaller() { workspaceId, userId, scopes, credential }: Caller,
    @Body() body: CreateApiKeyDto,
  ) {
    const { keyId, capId, linkId, personId } = credential;
    const { scope = scopes } = body;
    return this.apiKeys.create(workspaceId, userId, {
      ...body,
      scope,
      parentId: keyId,
      capId,
      linkId,
      personId,
    });
  }

  @Get('api-keys')
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'listApiKeys',
    summary: 'List API keys',
    description:
      'Lists the API keys of the workspace, including those that expired or were revoked. The keys ' +
      'themselves are never shown again.',
    status: 200,
    message: 'API keys',
    data: ApiKeyDto,
    list: true,
    paginated: true,
  })
  listApiKeys(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.apiKeys.list(caller.workspaceId, query);
  }

  @Delete('api-keys/:key_id')
  @Unscoped()
  @Audited<RevokedKey>('api_key.revoked', ({ params, result: { name } }) => ({
    id: params.key_id as string,
    name,
  }))
  @ApiEnvelopeResponse({
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'Ends an API key, and the keys that were created with it, at once.',
    status: 200,
    message: 'API key revoked',
    errors: [apiKeyNotFound()],
  })
  revokeApiKey(@CurrentCaller() caller: Caller, @Param('key_id') keyId: string) {
    return this.apiKeys.revoke(caller.workspaceId, keyId);
  }

  @Post('tokens')
  @Unscoped()
  @Audited<IssuedToken>('token.issued', ({ result: { tokenId } }) => ({ id: tokenId }))
  @ApiRequestBody(CreateTokenDto)
  @ApiEnvelopeResponse({
    operationId: 'issueToken',
    summary: 'Issue a token',
    description:
      'Issues a bearer token that is valid for a limited time, such as for a browser or a runtime. It ' +
      'expires no later than the credential that asks for it. Not available where an identity provider ' +
      'issues the tokens.',
    status: 201,
    message: 'Token issued',
    data: TokenDto,
    errors: [tokensIssuedElsewhere()],
  })
  issueToken(@CurrentCaller() caller: Caller, @Body() body: CreateTokenDto) {
    const { scope = caller.scopes } = body;
    return this.tokens.issue(caller.workspaceId, caller.userId, { ...body, scope }, caller.credential);
  }

  @Delete('tokens')
  @UnscopedApiKey()
  @Audited('token.all_revoked', () => ({ id: null }))
  @ApiEnvelopeResponse({
    operationId: 'revokeTokens',
    summary: 'Revoke all tokens',
    description:
      'Ends every bearer token that was issued for the workspace until now. API keys stay valid. ' +
      'Requires an API key that is not limited to agents.',
    status: 200,
    message: 'Tokens revoked',
    errors: [apiKeyRequired()],
  })
  async revokeTokens(@CurrentCaller() caller: Caller) {
    await this.tokens.revokeAll(caller.workspaceId);
  }
}
