import { Body, Controller, Delete, Get, Inject, Param, Patch, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { CONFIG, type Config } from '../../config';
import { type Caller, CurrentCaller, Unscoped, UnscopedApiKey } from '../../platform/http/access';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { PageQuery } from '../../platform/http/pagination';
import { ApiRequestBody } from '../../platform/http/request-body';
import { Audited } from '../audit/audited';
import { apiKeyRequired } from '../auth/auth.errors';
import { quotaReached } from '../workspaces/workspaces.errors';
import { InvitePersonDto, PersonDto, PersonLinkDto, UpdatePersonDto } from './people.dto';
import { emailTaken, lastAdmin, personNotFound } from './people.errors';
import { type LinkOfPerson, PeopleService } from './people.service';

@ApiTags('People')
@Controller('api/people')
export class PeopleController {
  constructor(
    private readonly people: PeopleService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'listPeople',
    summary: 'List the people',
    description:
      'Lists the people who may sign in to the workspace, by name, including those who were invited only.',
    status: 200,
    message: 'People',
    data: PersonDto,
    list: true,
    paginated: true,
  })
  list(@CurrentCaller() { workspaceId }: Caller, @Query() query: PageQuery) {
    return this.people.list(workspaceId, query);
  }

  @Post()
  @UnscopedApiKey({ liftsCap: true })
  @Audited<LinkOfPerson>('person.invited', ({ result: { personId, name } }) => ({ id: personId, name }))
  @ApiRequestBody(InvitePersonDto)
  @ApiEnvelopeResponse({
    operationId: 'invitePerson',
    summary: 'Invite a person',
    description:
      'Adds a person, and returns a link by which the person signs in once, within seven days. The page of the link ' +
      'names the workspace and the role, and asks first. Does not accept bearer tokens.',
    cost: 'No credits. Counts towards the limit of people.',
    status: 201,
    message: 'Person invited',
    data: PersonLinkDto,
    errors: [apiKeyRequired(), emailTaken(), quotaReached('people', { limit: 1_000, used: 1_000 })],
  })
  async invite(
    @CurrentCaller() { workspaceId }: Caller,
    @Body() { name, role, email = null }: InvitePersonDto,
    @Req() request: Request,
  ) {
    return this.presentLink(request, await this.people.invite(workspaceId, { name, role, email }));
  }

  @Get(':person_id')
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'getPerson',
    summary: 'Get a person',
    description: 'Returns one of the people who may sign in to the workspace.',
    status: 200,
    message: 'Person',
    data: PersonDto,
    errors: [personNotFound()],
  })
  get(@CurrentCaller() { workspaceId }: Caller, @Param('person_id') id: string) {
    return this.people.get(workspaceId, id);
  }

  @Patch(':person_id')
  @UnscopedApiKey({ liftsCap: true })
  @Audited('person.updated', ({ params }) => ({ id: params.person_id as string }))
  @ApiRequestBody(UpdatePersonDto)
  @ApiEnvelopeResponse({
    operationId: 'updatePerson',
    summary: 'Change a person',
    description:
      'Changes the name, the role or the e-mail address. A new role counts for the sessions of the person at once, ' +
      'and for streams and exports within two seconds. If the person is an admin no longer, the API keys that their ' +
      'sessions created are revoked, and their tokens are not valid. Does not accept bearer tokens.',
    status: 200,
    message: 'Person changed',
    data: PersonDto,
    errors: [apiKeyRequired(), personNotFound(), emailTaken(), lastAdmin()],
  })
  update(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('person_id') id: string,
    @Body() changes: UpdatePersonDto,
  ) {
    return this.people.update(workspaceId, id, changes);
  }

  @Delete(':person_id')
  @UnscopedApiKey()
  @Audited<{ name: string }>('person.removed', ({ params, result: { name } }) => ({
    id: params.person_id as string,
    name,
  }))
  @ApiEnvelopeResponse({
    operationId: 'removePerson',
    summary: 'Remove a person',
    description:
      'Removes a person at once, with their sessions and links, and with the API keys and tokens that their sessions ' +
      'created. Does not accept bearer tokens.',
    status: 200,
    message: 'Person removed',
    errors: [apiKeyRequired(), personNotFound(), lastAdmin()],
  })
  async remove(@CurrentCaller() { workspaceId }: Caller, @Param('person_id') id: string) {
    await this.people.remove(workspaceId, id);
  }

  @Post(':person_id/link')
  @UnscopedApiKey({ liftsCap: true })
  @Audited<LinkOfPerson>('person.link_created', ({ params, result: { name } }) => ({
    id: params.person_id as string,
    name,
  }))
  @ApiEnvelopeResponse({
    operationId: 'createPersonLink',
    summary: 'Make a sign-in link',
    description:
      'Returns a link by which the person signs in once: within an hour, or within seven days if the person has not ' +
      'joined. Links that were made before and not used are not valid any more. Does not accept bearer tokens.',
    status: 201,
    message: 'Link created',
    data: PersonLinkDto,
    errors: [apiKeyRequired(), personNotFound()],
  })
  async createLink(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('person_id') id: string,
    @Req() request: Request,
  ) {
    return this.presentLink(request, await this.people.createLink(workspaceId, id));
  }

  /** The answer goes to the sender of the request, whose own address of the server is in it if no setting has one. */
  private presentLink(request: Request, { personId, token, expiresAt }: LinkOfPerson): PersonLinkDto {
    const origin = this.config.PUBLIC_URL?.replace(/\/+$/, '') ?? `${request.protocol}://${request.host}`;
    return { person_id: personId, url: `${origin}/login#token=${token}`, expires_at: expiresAt };
  }
}
