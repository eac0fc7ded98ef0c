import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { WebhookCleaner } from '../../src/features/webhooks/webhook-cleaner';
import { invalid, outcome, refused, succeeded } from '../support/answers';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { useStarted } from '../support/use-started';
import { answeringStatus, type ReceivedWebhook, WebhookReceiver } from '../support/webhook-receiver';
import { Webhooks } from '../support/webhooks';

/** Runs the code of the page with the values of its input. */
const PYTHON_PROGRAM = `
import json, sys
given = json.load(sys.stdin)
exec(given["code"])
headers, body, secret = given["values"]
print(is_genuine(headers, body.encode(), secret))`;

describe('Webhooks', () => {
  const parley = useOwnParley({ ALLOW_PRIVATE_ADDRESSES: 'true' });
  const receiver = useStarted(() => WebhookReceiver.start());
  let workspace: TestWorkspace;
  let webhooks: Webhooks;

  beforeAll(() => {
    receiver.answer('/failing', answeringStatus(500));
    receiver.answer('/gone', answeringStatus(410));
  });
  beforeEach(async () => {
    workspace = await parley.workspace();
    webhooks = new Webhooks(workspace.api);
  });

  describe('are signed', () => {
    test('with a secret of the workspace, which is created once, at its first use', async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => workspace.api.get('/api/webhooks/secret')),
      );

      const [first] = answers;
      expect(first?.body).toEqual({
        status: 200,
        message: 'Webhook secret',
        data: {
          secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as string,
          previous_secret: null,
          previous_expires_at: null,
        },
      });
      for (const { body, headers } of answers) {
        expect(body).toEqual(first?.body);
        expect(headers.get('cache-control')).toBe('no-store');
      }
      const other = new Webhooks((await parley.workspace()).api);
      expect(await other.secret()).not.toBe(await webhooks.secret());
    });

    test('also with the previous secret after a rotation, until it expires', async () => {
      const old = await webhooks.secret();
      const current = await webhooks.rotateSecret();
      const { body } = await workspace.api.get('/api/webhooks/secret');
      expect(body.data).toEqual({
        secret: current,
        previous_secret: old,
        previous_expires_at: expect.any(String) as string,
      });
      const hours = (Date.parse(body.data.previous_expires_at as string) - Date.now()) / 3_600_000;
      expect(hours).toBeCloseTo(24, 1);

      await webhooks.tried(await webhooks.sendTestEvent(receiver.url('/rotated')));
      const [overlapping] = receiver.at('/rotated');
      expect(overlapping?.signatures).toHaveLength(2);
      overlapping?.verifyWith(old);
      overlapping?.verifyWith(current);

      await parley.sql('UPDATE webhook_secrets SET previous_expires_at = now() WHERE workspace_id = $1', [
        workspace.workspaceId,
      ]);
      await webhooks.tried(await webhooks.sendTestEvent(receiver.url('/rotated')));
      const [, after] = receiver.at('/rotated');
      expect(after?.signatures).toHaveLength(1);
      after?.verifyWith(current);
      expect(() => after?.verifyWith(old)).toThrow('No matching signature found');
    });

    describe('in the way that the code in docs/webhooks.md verifies', () => {
      const page = readFileSync(join(__dirname, '../../docs/webhooks.md'), 'utf8');
      const documented = (language: string) =>
        new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1] ?? '';

      /** @param verify runs the documented code */
      async function check(verify: (headers: object, body: string, secret: string) => string) {
        await webhooks.tried(await webhooks.sendTestEvent(receiver.url('/documented')));
        const { headers, body } = receiver.at('/documented').at(-1) as ReceivedWebhook;
        const secret = await webhooks.secret();
        const before = new Date(Date.now() - 302_000);
        const old = {
          ...headers,
          'webhook-timestamp': String(Math.floor(before.getTime() / 1_000)),
          'webhook-signature': new Webhook(secret).sign(String(headers['webhook-id']), before, body),
        };

        expect(verify(headers, body, secret).toLowerCase()).toBe('true');
        expect(verify(headers, `${body} `, secret).toLowerCase()).toBe('false');
        expect(verify(old, body, secret).toLowerCase()).toBe('false');
        await webhooks.rotateSecret({ overlap_hours: 0 });
        expect(verify(headers, body, await webhooks.secret()).toLowerCase()).toBe('false');
      }

      test('in JavaScript', () =>
        check((...values) =>
          execFileSync(process.execPath, ['--input-type=module'], {
            encoding: 'utf8',
            input: `${documented('js')}\nconsole.log(isGenuine(...${JSON.stringify(values)}))`,
          }).trim(),
        ));

      const hasPython = spawnSync('python3', ['--version']).status === 0;
      if (!hasPython) test.skip('in Python', () => undefined);
      else
        test('in Python', () =>
          check((...values) =>
            execFileSync('python3', ['-c', PYTHON_PROGRAM], {
              encoding: 'utf8',
              input: JSON.stringify({ code: documented('python'), values }),
            }).trim(),
          ));
    });

    test('with at most two secrets, so a second rotation drops the oldest', async () => {
      await webhooks.secret();
      const second = await webhooks.rotateSecret({ overlap_hours: 168 });
      const third = await webhooks.rotateSecret();

      const { body } = await workspace.api.get('/api/webhooks/secret');
      expect(body.data).toMatchObject({ secret: third, previous_secret: second });
    });

    test('with the new secret alone after a rotation without an overlap', async () => {
      await webhooks.secret();
      const current = await webhooks.rotateSecret({ overlap_hours: 0 });

      const { body } = await workspace.api.get('/api/webhooks/secret');
      expect(body.data).toEqual({ secret: current, previous_secret: null, previous_expires_at: null });
    });

    test.each([-1, 169, 1.5, '24', null])(
      'and a rotation refuses an overlap of %j hours',
      async (overlap_hours) => {
        const rotation = workspace.api.post('/api/webhooks/secret/rotate', { overlap_hours });

        expect(await outcome(rotation)).toEqual(invalid('body.overlap_hours'));
      },
    );
  });

  describe('are listed', () => {
    test('newest first, by status, type, call, address and time, for each workspace', async () => {
      const delivered = await webhooks.sendTestEvent(receiver.url('/listed'));
      const pending = await webhooks.sendTestEvent(receiver.url('/failing'));
      const failed = await webhooks.sendTestEvent(receiver.url('/gone'));
      await Promise.all([delivered, pending, failed].map((id) => webhooks.tried(id)));
      const readIds = async (query: string) => {
        const { body } = await workspace.api.get(`/api/webhooks/deliveries?${query}`);
        return (body as { data: { delivery_id: string }[] }).data.map(({ delivery_id }) => delivery_id);
      };

      expect(await readIds('')).toEqual([failed, pending, delivered]);
      expect(await readIds('page=2&limit=2')).toEqual([delivered]);
      expect(await readIds('status=delivered')).toEqual([delivered]);
      expect(await readIds('status=pending')).toEqual([pending]);
      expect(await readIds('status=failed')).toEqual([failed]);
      expect(await readIds('type=webhook.test&limit=1')).toEqual([failed]);
      expect(await readIds('type=call.ended')).toEqual([]);
      expect(await readIds('type=call.ended&type=webhook.test')).toEqual([failed, pending, delivered]);
      expect(await readIds('conversation_id=unknown')).toEqual([]);
      expect(await readIds(`conversation_id=${workspace.workspaceId}`)).toEqual([]);
      expect(await readIds('url=/GO')).toEqual([failed]);
      expect(await readIds('url=%25gone')).toEqual([]);
      await parley.sql(`UPDATE webhook_deliveries SET created_at = '2026-03-02T09:30:00Z' WHERE id = $1`, [
        delivered,
      ]);
      expect(await readIds('start_date=2026-03-02T09:30:00Z&end_date=2026-03-02')).toEqual([delivered]);
      expect(await readIds('start_date=2026-03-03')).toEqual([failed, pending]);
      const { body } = await workspace.api.get('/api/webhooks/deliveries?status=failed');
      expect(body).toEqual({
        status: 200,
        message: 'Webhook deliveries',
        data: [
          {
            delivery_id: failed,
            event_id: expect.any(String) as string,
            endpoint_id: null,
            type: 'webhook.test',
            conversation_id: null,
            url: receiver.url('/gone'),
            status: 'failed',
            created_at: expect.any(String) as string,
            attempt_count: 1,
            last_status_code: 410,
            last_error: 'it answers with status 410',
            next_attempt_at: null,
            given_up_at: expect.any(String) as string,
            dismissed_at: null,
          },
        ],
        pagination: { page: 1, limit: 10, total: 1, totalPages: 1, hasNextPage: false, hasPrevPage: false },
      });
      const other = await parley.workspace();
      expect((await other.api.get('/api/webhooks/deliveries')).body).toMatchObject({ data: [] });
    });

    test('by the time when their retries ended, which is removed when they are sent again', async () => {
      const [first, second] = (await Promise.all(
        ['/gone', '/gone'].map((path) => webhooks.sendTestEvent(receiver.url(path))),
      )) as [string, string];
      await Promise.all([first, second].map((id) => webhooks.tried(id)));
      const older = async (id: string) =>
        parley.sql(
          `UPDATE webhook_deliveries SET given_up_at = given_up_at - interval '1 hour' WHERE id = $1`,
          [id],
        );
      const listed = async () => {
        const { body } = await workspace.api.get('/api/webhooks/deliveries?status=failed&sortBy=given_up_at');
        return (body as { data: { delivery_id: string }[] }).data.map(({ delivery_id }) => delivery_id);
      };
      await older(second);
      expect(await listed()).toEqual([first, second]);
      await older(first);
      await older(first);
      expect(await listed()).toEqual([second, first]);

      receiver.answer('/gone', answeringStatus(503));
      await webhooks.replay(second);
      expect(await webhooks.tried(second, 2)).toMatchObject({ status: 'pending', given_up_at: null });
      expect(await listed()).toEqual([first]);
      receiver.answer('/gone', answeringStatus(410));
    });

    test('without those that somebody has dismissed, which are listed again when they fail again', async () => {
      const sent = () => webhooks.sendTestEvent(receiver.url('/gone'));
      const first = await sent();
      await webhooks.tried(first);
      const listed = async (dismissed: boolean) => {
        const path = `/api/webhooks/deliveries?status=failed&dismissed=${dismissed}`;
        const { body } = await workspace.api.get(path);
        return (body as { data: { delivery_id: string; given_up_at: string }[] }).data;
      };
      const [{ given_up_at: until } = { given_up_at: '' }] = await listed(false);
      const second = await sent();
      await webhooks.tried(second);
      await parley.sql(
        `UPDATE webhook_deliveries SET given_up_at = given_up_at + interval '1 minute' WHERE id = $1`,
        [second],
      );
      const dismiss = () => outcome(workspace.api.post('/api/webhooks/deliveries/dismiss', { until }));

      expect(await dismiss()).toEqual(succeeded('Webhooks dismissed', { dismissed: 1 }));
      expect(await dismiss()).toEqual(succeeded('Webhooks dismissed', { dismissed: 0 }));
      expect((await listed(false)).map(({ delivery_id }) => delivery_id)).toEqual([second]);
      expect(await listed(true)).toMatchObject([
        { delivery_id: first, dismissed_at: expect.any(String) as string },
      ]);
      const other = await parley.workspace();
      expect(await outcome(other.api.post('/api/webhooks/deliveries/dismiss', {}))).toEqual(
        succeeded('Webhooks dismissed', { dismissed: 0 }),
      );
      const { body: audit } = await workspace.api.get('/api/audit?action=webhook.dismissed');
      expect((audit as { data: object[] }).data).toHaveLength(1);

      await webhooks.replay(first);
      expect(await webhooks.tried(first, 2)).toMatchObject({ status: 'failed', dismissed_at: null });
      expect(await listed(true)).toEqual([]);
    });

    test('only by known statuses and types, and by a time', async () => {
      const listing = workspace.api.get(
        '/api/webhooks/deliveries?status=lost&type=call.rang&limit=101&end_date=then',
      );

      expect(await outcome(listing)).toEqual(
        invalid('query.end_date', 'query.limit', 'query.status', 'query.type.0'),
      );
    });
  });

  test('are not found by an id that is malformed, unknown or of another workspace', async () => {
    const other = await parley.workspace();
    const foreign = await new Webhooks(other.api).sendTestEvent(receiver.url('/foreign'));
    const notFound = refused(404, 'Webhook delivery not found', { error_code: 'WEBHOOK_DELIVERY_NOT_FOUND' });

    for (const id of [foreign, workspace.workspaceId, 'malformed']) {
      expect(await outcome(workspace.api.get(`/api/webhooks/deliveries/${id}`))).toEqual(notFound);
      expect(await outcome(workspace.api.post(`/api/webhooks/deliveries/${id}/replay`))).toEqual(notFound);
    }
  });

  test.each([undefined, 'example.com', 'ftp://example.com', 'http://ada:secret@example.com', '', 7, null])(
    'refuse a test event for the address %j',
    async (url) => {
      expect(await outcome(workspace.api.post('/api/webhooks/test', { url }))).toEqual(invalid('body.url'));
    },
  );

  test('are deleted 30 days after their event, and secrets when they have expired', async () => {
    const old = await webhooks.sendTestEvent(receiver.url('/old'));
    const pending = await webhooks.sendTestEvent(receiver.url('/failing'));
    await Promise.all([old, pending].map((id) => webhooks.tried(id)));
    await parley.sql(
      `UPDATE webhook_deliveries SET created_at = now() - interval '31 days' WHERE id = ANY ($1)`,
      [[old, pending]],
    );
    const recent = await webhooks.sendTestEvent(receiver.url('/recent'));
    await webhooks.tried(recent);
    await webhooks.rotateSecret();
    await parley.sql(
      // The column has milliseconds, so that now() may be rounded into the future.
      `UPDATE webhook_secrets SET previous_expires_at = now() - interval '1 second' WHERE previous_secret IS NOT NULL`,
    );

    await parley.app.get(WebhookCleaner, { strict: false }).clean();

    const { body } = await workspace.api.get('/api/webhooks/deliveries');
    expect((body as { data: { delivery_id: string }[] }).data.map(({ delivery_id }) => delivery_id)).toEqual([
      recent,
      pending,
    ]);
    expect(await parley.sql('SELECT FROM webhook_secrets WHERE previous_secret IS NOT NULL')).toEqual([]);
  });
});
