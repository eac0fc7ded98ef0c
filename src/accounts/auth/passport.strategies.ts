import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';
import { ExtractJwt, Strategy as JwtStrategy, type SecretOrKeyProvider } from 'passport-jwt';
import { CONFIG, type Config } from '../../config';
import type { Caller } from '../../platform/http/access';
import { ApiKeysService } from './api-keys.service';
import { TokenVerificationKeys } from './token-verification-keys';
import { type Claims, readClaims, TokensService } from './tokens.service';

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

/** Wraps the cause, because Passport would turn it into a 401. */
export class KeyLookupError extends Error {}

const createKeyProvider =
  (tokenKeys: TokenVerificationKeys): SecretOrKeyProvider<string> =>
  (_, token: string, done) => {
    tokenKeys.find(token).then(
      // jsonwebtoken also accepts a KeyObject, which its types omit.
      (key) =>
        key ? done(null, key as unknown as string) : done(new Error('No known key signed this token')),
      (error: unknown) =>
        done(new KeyLookupError('The key of a token could not be looked up', { cause: error })),
    );
  };

/** `Authorization: Bearer <token>` */
@Injectable()
export class BearerStrategy extends PassportStrategy(JwtStrategy, 'bearer') {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    tokenKeys: TokenVerificationKeys,
    private readonly tokens: TokensService,
  ) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      secretOrKeyProvider: createKeyProvider(tokenKeys),
      algorithms: tokenKeys.algorithms,
      issuer: config.JWT_ISSUER,
      audience: config.JWT_AUDIENCE,
      // `readClaims` checks it, with a tolerance that `exp` does not have.
      jsonWebTokenOptions: { ignoreNotBefore: true },
    });
  }

  async validate(claims: Partial<Claims>): Promise<Caller | false> {
    const token = readClaims(claims, { isIssuedHere: this.config.JWT_SECRET !== undefined });
    return (token && (await this.tokens.authenticate(token))) ?? false;
  }
}
