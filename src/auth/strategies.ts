import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';
import { ExtractJwt, Strategy as JwtStrategy, type SecretOrKeyProvider } from 'passport-jwt';
import { CONFIG, type Config } from '../config';
import type { Caller } from '../http/access';
import { ApiKeysService } from './api-keys.service';
import { TokenKeys } from './token-keys';
import { type Claims, readClaims, TokensService } from './tokens.service';
import { RecentlyValidKeys } from './recently-valid-keys';

/** `X-API-Key: <key>` */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(HeaderAPIKeyStrategy, 'api-key') {
  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly validKeys: RecentlyValidKeys,
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

/** Passed to passport if the key of a token could not be looked up. Passport would answer 401 to its cause. */
export class KeyLookupFailed extends Error {}

const providerOf =
  (keys: TokenKeys): SecretOrKeyProvider<string> =>
  (_, token: string, done) => {
    keys.find(token).then(
      // jsonwebtoken also takes key objects, which its types lack.
      (key) => (key ? done(null, key as string) : done(new Error('No known key signed this token'))),
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
    return (token && (await this.tokens.authenticate(token))) ?? false;
  }
}
