import type { Command } from 'commander';
import { BODY_FIELDS, QUERY_FIELDS } from '../../generated/cli-options';
import type { Schemas } from '../../types';
import type { Cli } from '../cli';
import { addCommand, addListCommand, printCreated, printDone, printList, printObject } from '../command';
import { UsageError } from '../errors';
import { addFields, assertGiven, type BodyRenames, readBody, readQuery } from '../flags';

type Endpoint = Schemas['WebhookEndpointDto'];

const COLUMNS = {
  id: ({ endpoint_id }: Endpoint) => endpoint_id,
  status: ({ status }: Endpoint) => status,
  since: ({ status_since }: Endpoint) => status_since,
  waiting: ({ waiting }: Endpoint) => waiting,
  events: ({ events }: Endpoint) => events.join(' '),
  url: ({ url }: Endpoint) => url,
};

/** The address is an argument. */
const CREATED: BodyRenames<'CreateWebhookEndpointDto'> = { url: null, events: 'event', agent_ids: 'agent' };
const CHANGED: BodyRenames<'ChangeWebhookEndpointDto'> = { events: 'event', agent_ids: 'agent' };

export function addWebhookEndpointCommands(webhooks: Command, cli: Cli): void {
  const endpoints = webhooks
    .command('endpoints')
    .description('addresses that get the events of the workspace');
  const connect = async () => (await cli.connect()).webhooks.endpoints;

  const list = addListCommand(endpoints, 'list', 'list the endpoints, the oldest first');
  addFields(list, QUERY_FIELDS.listWebhookEndpoints);
  list.action(async () => {
    await printList(cli, list, (await connect()).list(readQuery(list, 'listWebhookEndpoints')), COLUMNS);
  });

  const get = addCommand(endpoints, 'get <endpoint>', 'show an endpoint, and how much waits for it');
  get.action(async (id: string) => printObject(cli, get, await (await connect()).get(id)));

  const create = addCommand(endpoints, 'create <url>', 'create an endpoint and print its id');
  addFields(create, BODY_FIELDS.CreateWebhookEndpointDto, CREATED);
  create.action(async (url: string) => {
    const fields = readBody(create, 'CreateWebhookEndpointDto', CREATED);
    assertGiven(fields, { events: '--event' });
    const endpoint = await (await connect()).create({ ...fields, url });
    await printCreated(cli, create, endpoint.endpoint_id, endpoint);
  });

  const update = addCommand(endpoints, 'update <endpoint>', 'change an endpoint');
  addFields(update, BODY_FIELDS.ChangeWebhookEndpointDto, CHANGED);
  update.action(async (id: string) => {
    const fields = readBody(update, 'ChangeWebhookEndpointDto', CHANGED);
    if (Object.keys(fields).length === 0)
      throw new UsageError('Give the fields to change, such as --enabled true.');
    const endpoint = await (await connect()).update(id, fields);
    await printDone(cli, update, `The endpoint has the status ${endpoint.status}.`, endpoint);
  });

  const remove = addCommand(endpoints, 'delete <endpoint>', 'delete an endpoint and what waits for it');
  remove.action(async (id: string) => {
    const stored = await connect();
    // As with agents, a lost answer must not make an endpoint that never was a deleted one.
    await stored.get(id);
    await stored.delete(id);
    await printDone(cli, remove, 'Deleted the endpoint.', { endpoint_id: id, deleted: true });
  });

  const secret = addCommand(endpoints, 'secret <endpoint>', 'print the secret that signs what it gets');
  secret.action(async (id: string) => {
    const secrets = await (await connect()).secret(id);
    await printCreated(cli, secret, secrets.secret, secrets);
  });

  const rotate = addCommand(endpoints, 'rotate <endpoint>', 'make a new secret and print it');
  addFields(rotate, BODY_FIELDS.RotateSecretDto);
  rotate.action(async (id: string) => {
    const secrets = await (await connect()).rotate(id, readBody(rotate, 'RotateSecretDto'));
    await printCreated(cli, rotate, secrets.secret, secrets);
  });

  const test = addCommand(endpoints, 'test <endpoint>', 'send a test event and print the id of the delivery');
  test.action(async (id: string) => {
    const accepted = await (await connect()).test(id);
    await printCreated(cli, test, accepted.delivery_id, accepted);
  });

  const replay = addCommand(
    endpoints,
    'replay <endpoint>',
    'send again what was held or failed since a time',
  );
  addFields(replay, BODY_FIELDS.ReplayDeliveriesDto);
  replay.action(async (id: string) => {
    const fields = readBody(replay, 'ReplayDeliveriesDto');
    assertGiven(fields, { from: '--from' });
    const replayed = await (await connect()).replay(id, fields);
    await printDone(cli, replay, `${replayed.deliveries} deliveries are sent again.`, replayed);
  });
}
