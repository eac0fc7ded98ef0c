import { Controller, Get, Inject, Logger, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CONFIG, type Config, getPublicUrl } from '../../config';
import { Public } from '../../platform/http/access';
import { plainAddress } from '../../platform/http/client-network';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { HostCookie } from '../auth/host-cookie';
import { WrongCredentials } from '../auth/wrong-credentials';
import { IdentityProvider, type SignInAttempt } from './identity-provider';
import { IdentityProviderDto } from './oidc.dto';
import { noIdentityProvider } from './oidc.errors';
import { OidcService } from './oidc.service';
import { SignInProblem, type SignInProblemName } from './sign-in-problem';

/** The time that a person has at the pages of the provider. */
const ATTEMPT_MS = 600_000;

/**
 * The way of a browser to the identity provider and back. The paths are not those of the API, whose requests are counted
 * by their credential.
 */
@ApiTags('People')
@Controller('oidc')
export class OidcController {
  private readonly logger = new Logger(OidcController.name);

  /** Browsers send it when the provider, another site, leads them back. */
  private readonly attempts: HostCookie;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly provider: IdentityProvider,
    private readonly oidc: OidcService,
    private readonly wrongCredentials: WrongCredentials,
  ) {
    this.attempts = new HostCookie('parley_sign_in', 'lax', config);
  }

  @Get()
  @Public()
  @ApiEnvelopeResponse({
    operationId: 'getIdentityProvider',
    summary: 'Get the identity provider',
    description:
      'Says whether people can sign in to the console with an identity provider. Needs no credential.',
    status: 200,
    message: 'Identity provider',
    data: IdentityProviderDto,
  })
  show(): IdentityProviderDto {
    return { name: this.provider.name };
  }

  /** Leads to the provider, or to the login page with a problem. @throws 404 without a provider */
  @Get('sign-in')
  @Public()
  @ApiExcludeEndpoint()
  async begin(@Req() request: Request, @Res() response: Response): Promise<void> {
    this.assertProvider();
    await this.redirect(response, async () => {
      const { url, attempt } = await this.provider.begin();
      const expiresAt = new Date(Date.now() + ATTEMPT_MS);
      this.attempts.set(request, { token: writeAttempt(attempt), expiresAt });
      return url.href;
    });
  }

  /** Leads to the login page: with the tokens of links, or with a problem. @throws 404 without a provider */
  @Get('callback')
  @Public()
  @ApiExcludeEndpoint()
  async finish(@Req() request: Request, @Res() response: Response): Promise<void> {
    this.assertProvider();
    const attempt = readAttempt(this.attempts.read(request));
    this.attempts.clear(request);
    await this.redirect(response, async () => {
      if (attempt === undefined) throw new SignInProblem('expired');
      // Each attempt costs the provider a request, also one that the browser has made up.
      if (this.wrongCredentials.isLimitReached(request)) throw new SignInProblem('busy');
      const [, query = ''] = /^[^?]*(\?.*)?$/s.exec(request.originalUrl) ?? [];
      const identity = await this.provider.finish(query, attempt).catch((error: unknown) => {
        this.wrongCredentials.count(request);
        throw error;
      });
      const ip = plainAddress(request.ip);
      const tokens = await this.oidc.createLinks(identity, { requestId: request.id as string, ip });
      // The tokens follow a #, so that no server and no log gets them.
      return `${this.getLoginPage()}#${tokens.map((token) => `token=${token}`).join('&')}`;
    });
  }

  private getLoginPage(): string {
    return `${getPublicUrl(this.config)}/login`;
  }

  /** @throws 404 */
  private assertProvider(): void {
    if (this.provider.name === null) throw noIdentityProvider();
  }

  /** Leads to the address, or to the login page with the problem. */
  private async redirect(response: Response, getAddress: () => Promise<string>): Promise<void> {
    response.set('Cache-Control', 'no-store');
    response.redirect(
      303,
      await getAddress().catch((error: unknown) => {
        if (!(error instanceof SignInProblem)) throw error;
        this.log(error.problem, error.cause);
        return `${this.getLoginPage()}?problem=${error.problem}`;
      }),
    );
  }

  /** The cause may have a response with tokens, so only its text is logged. */
  private log(problem: SignInProblemName, cause: unknown): void {
    const reason = cause instanceof Error ? cause.message : undefined;
    const code = (cause as { code?: unknown; error?: unknown } | undefined)?.code;
    if (cause !== undefined)
      this.logger.warn({ problem, reason, code }, 'A sign-in with the identity provider failed');
  }
}

const writeAttempt = ({ state, nonce, codeVerifier }: SignInAttempt) =>
  [state, nonce, codeVerifier].join('.');

/** @returns undefined for a cookie that was not set here */
function readAttempt(text: string | undefined): SignInAttempt | undefined {
  const [, state, nonce, codeVerifier] = /^([\w-]{43})\.([\w-]{43})\.([\w-]{43})$/.exec(text ?? '') ?? [];
  return state && nonce && codeVerifier ? { state, nonce, codeVerifier } : undefined;
}
