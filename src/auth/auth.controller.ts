import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped, UnscopedApiKey } from '../http/access';
import { ApiEnvelopeResponse } from '../http/envelope';
import { ApiRequestBody } from '../http/request-body';
import { PageQuery } from '../http/pagination';
import { quotaReached } from '../workspaces/workspaces.errors';
import { ApiKeysService } from './api-keys.service';
import { ApiKeyDto, CreateApiKeyDto, CreatedApiKeyDto, CreateTokenDto, TokenDto } from './auth.dto';
import { apiKeyNotFound, apiKeyRequired, tokensIssuedElsewhere } from './auth.errors';
import { TokensService } from './tokens.service';

@ApiTags('Credentials')
@Controller('api/auth')
export class AuthController {
  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly tokens: TokensService,
  ) {}

  @Post('api-keys')
  @UnscopedApiKey()
  @ApiRequestBody(CreateApiKeyDto)
  @ApiEnvelopeResponse({
    status: 201,
    message: 'API key created',
    data: CreatedApiKeyDto,
    errors: [apiKeyRequired(), quotaReached('api_keys', { limit: 100, used: 100 })],
  })
  createApiKey(@CurrentCaller() caller: Caller, @Body() body: CreateApiKeyDto) {
    const { workspaceId, userId, credential } = caller;
    return this.apiKeys.create(workspaceId, userId, { ...body, parentId: credential.keyId });
  }

  @Get('api-keys')
  @Unscoped()
  @ApiEnvelopeResponse({
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
  @ApiEnvelopeResponse({ status: 200, message: 'API key revoked', errors: [apiKeyNotFound()] })
  revokeApiKey(@CurrentCaller() caller: Caller, @Param('key_id') keyId: string) {
    return this.apiKeys.revoke(caller.workspaceId, keyId);
  }

  @Post('tokens')
  @Unscoped()
  @ApiRequestBody(CreateTokenDto)
  @ApiEnvelopeResponse({
    status: 201,
    message: 'Token issued',
    data: TokenDto,
    errors: [tokensIssuedElsewhere()],
  })
  issueToken(@CurrentCaller() caller: Caller, @Body() body: CreateTokenDto) {
    return this.tokens.issue(caller.workspaceId, caller.userId, body, caller.credential);
  }

  @Delete('tokens')
  @UnscopedApiKey()
  @ApiEnvelopeResponse({ status: 200, message: 'Tokens revoked', errors: [apiKeyRequired()] })
  async revokeTokens(@CurrentCaller() caller: Caller) {
    await this.tokens.revokeAll(caller.workspaceId);
  }
}
