import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped } from '../common/access';
import { Answers } from '../common/envelope';
import { PageQuery } from '../common/pagination';
import { ApiKeysService } from './api-keys.service';
import { ApiKeyDto, CreateApiKeyDto, CreatedApiKeyDto, CreateTokenDto, TokenDto } from './auth.dto';
import { TokensService } from './tokens.service';

@ApiTags('Credentials')
@Controller('api/auth')
export class AuthController {
  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly tokens: TokensService,
  ) {}

  @Post('api-keys')
  @Unscoped()
  @Answers({ status: 201, message: 'API key created', data: CreatedApiKeyDto, errors: [400, 401, 403, 500] })
  createApiKey(@CurrentCaller() caller: Caller, @Body() body: CreateApiKeyDto) {
    return this.apiKeys.create(caller.workspaceId, caller.userId, body);
  }

  @Get('api-keys')
  @Unscoped()
  @Answers({
    status: 200,
    message: 'API keys',
    data: ApiKeyDto,
    list: true,
    paginated: true,
    errors: [400, 401, 403, 500],
  })
  listApiKeys(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.apiKeys.list(caller.workspaceId, query);
  }

  @Delete('api-keys/:key_id')
  @Unscoped()
  @Answers({ status: 200, message: 'API key revoked', errors: [401, 403, 404, 500] })
  revokeApiKey(@CurrentCaller() caller: Caller, @Param('key_id') keyId: string) {
    return this.apiKeys.revoke(caller.workspaceId, keyId);
  }

  @Post('tokens')
  @Unscoped()
  @Answers({ status: 201, message: 'Token issued', data: TokenDto, errors: [400, 401, 403, 409, 500] })
  issueToken(@CurrentCaller() caller: Caller, @Body() body: CreateTokenDto) {
    return this.tokens.issue(caller.workspaceId, caller.userId, body);
  }
}
