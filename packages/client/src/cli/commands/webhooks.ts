import type { Command } from 'commander';
import { QUERY_FIELDS } from '../../generated/cli-options';
import type { Schemas } from '../../types';
import type { Cli } from '../cli';
import { addCommand, addListCommand, printCreated, printList } from '../command';
import { addFields, readQuery } from '../flags';
import { addWebhookEndpointCommands } from './webhook-endpoints';

type Delivery = Schemas['DeliveryDto'];

const COLUMNS = {
  id: ({ delivery_id }: Delivery) => delivery_id,
  type: ({ type }: Delivery) => type,
  status: ({ status }: Delivery) => status,
  created: ({ created_at }: Delivery) => created_at,
  attempts: ({ attempt_count }: Delivery) => attempt_count,
  answer: ({ last_status_code, last_error }: Delivery) => last_status_code ?? last_error,
  url: ({ url }: Delivery) => url,
};

export function addWebhookCommands(program: Command, cli: Cli): void {
  const webhooks = program
    .command('webhooks')
    .description('the deliveries of webhooks, and the endpoints that get them');
  addWebhookEndpointCommands(webhooks, cli);

  const list = addListCommand(webhooks, 'list', 'list deliveries, the newest first');
  addFields(list, QUERY_FIELDS.listWebhookDeliveries);
  list.action(async () => {
    const filter = readQuery(list, 'listWebhookDeliveries');
    const deliveries = (await cli.connect()).webhooks.deliveries(filter);
    await printList(cli, list, deliveries, COLUMNS);
  });

  const replay = addCommand(
    webhooks,
    'replay <delivery>',
    'send an event again and print the id of the delivery',
  );
  replay.action(async (id: string) => {
    const accepted = await (await cli.connect()).webhooks.replay(id);
    await printCreated(cli, replay, accepted.delivery_id, accepted);
  });

  const test = addCommand(webhooks, 'test <url>', 'send a test event and print the id of the delivery');
  test.action(async (url: string) => {
    const accepted = await (await cli.connect()).webhooks.test({ url });
    await printCreated(cli, test, accepted.delivery_id, accepted);
  });
}
