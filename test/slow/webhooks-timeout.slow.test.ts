import { useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { WebhookReceiver } from '../support/webhook-receiver';
import { Webhooks } from '../support/webhooks';

const parley = useOwnParley({ ALLOW_PRIVATE_ADDRESSES: 'true' });
const receiver = useStarted(() => WebhookReceiver.start());

test('A webhook delivery is retried if the receiver has not answered within 10 seconds', async () => {
  const webhooks = new Webhooks((await parley.workspace()).api);
  receiver.hold('/');
  const id = await webhooks.sendTestEvent(receiver.url('/'));

  const tried = await until(async () => {
    const delivery = await webhooks.delivery(id);
    return delivery.attempts[0]?.duration_ms && delivery;
  });

  expect(tried).toMatchObject({ status: 'pending', last_error: 'it does not answer within 10 seconds' });
  expect(tried.attempts[0]?.duration_ms).toBeGreaterThanOrEqual(9_900);
  receiver.release('/');
});
