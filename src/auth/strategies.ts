import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';
import { ExtractJwt, Strategy as JwtStrategy } from 'passport-jwt';
import type { Caller } from '../common/access';
import { CONFIG, type Config } from '../config';
import { ApiKeysService } from './api-keys.service';
import { type Claims, TokensService, verification } from './tokens.service';

/** `X-API-Key: <key>` */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(HeaderAPIKeyStrategy, 'api-key') {
  constructor(private readonly apiKeys: ApiKeysService) {
    super({ header: 'X-API-Key', prefix: '' }, false);
  }

  async validate(apiKey: string): Promise<Caller | false> {
    return (await this.apiKeys.authenticate(apiKey)) ?? false;
  }
}

/** `Authorization: Bearer <token>` */
@Injectable()
export class BearerStrategy extends PassportStrategy(JwtStrategy, 'bearer') {
  constructor(
    @Inject(CONFIG) config: Config,
    private readonly tokens: TokensService,
  ) {
    super({ jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(), ...verification(config) } as never);
  }

  async validate(claims: Partial<Claims>): Promise<Caller | false> {
    return (await this.tokens.callerOf(claims)) ?? false;
  }
}
