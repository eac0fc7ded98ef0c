import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';
import { ExtractJwt, Strategy as JwtStrategy, type SecretOrKeyProvider } from 'passport-jwt';
import type { Caller } from '../http/access';
import { CONFIG, type Config } from '../config';
import { ApiKeysService } from './api-keys.service';
import { TokenKeys } from './token-keys';
import { type Claims, readClaims, TokensService } from './tokens.service';
import { ValidKeys } from './valid-keys';

/** `X-API-Key: <key>` */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(HeaderAPIKeyStrategy, 'api-key') {
  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly validKeys: ValidKeys,
  ) {
    super({ header: 'X-API-Key', prefix: '' }, false);
  }

  async validate(apiKey: string): Promise<Caller | false> {
    const caller = await this.apiKeys.authenticate(apiKey);
    if (caller) this.validKeys.add(apiKey, caller.workspaceId);
    else this.validKeys.delete(apiKey);
    return caller ?? false;
  }
}

/** What passport is given where the key of a token could not be looked up; it would make a 401 of the cause. */
export class KeyLookupFailed extends Error {}

const providerOf =
  (keys: TokenKeys): SecretOrKeyProvider<string> =>
  (_, token: string, done) => {
    keys.find(token).then(
      // jsonwebtoken also takes key objects, which its types lack.
      (key) => (key ? done(null, key as string) : done(new Error('No key can have signed this token'))),
      (error: unknown) => done(new KeyLookupFailed('The key of a token was not found', { cause: error })),
    );
  };

/** `Authorization: Bearer <token>` */
@Injectable()
export class BearerStrategy extends PassportStrategy(JwtStrategy, 'bearer') {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    keys: TokenKeys,
    private readonly tokens: TokensService,
  ) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      secretOrKeyProvider: providerOf(keys),
      algorithms: keys.algorithms,
      issuer: config.JWT_ISSUER,
      audience: config.JWT_AUDIENCE,
    });
  }

  async validate(claims: Partial<Claims>): Promise<Caller | false> {
    const token = readClaims(claims, this.config.JWT_SECRET !== undefined);
    return (token && (await this.tokens.callerOf(token))) ?? false;
  }
}
