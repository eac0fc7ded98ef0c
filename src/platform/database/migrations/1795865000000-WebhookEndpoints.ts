import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from '../build-index';
import { replaceCheck } from '../replace-check';

const DELIVERIES = 'webhook_deliveries';

const allowStatuses = (runner: QueryRunner, statuses: string) =>
  replaceCheck(runner, DELIVERIES, 'webhook_deliveries_status_known', `status IN (${statuses})`);

/**
 * Events have rows of their own, and a delivery is one receiver's copy without the payload. Servers of the last release add
 * deliveries with a payload meanwhile. Each statement has a transaction of its own, and can be repeated.
 */
export class WebhookEndpoints1795865000000 implements MigrationInterface {
  name = 'WebhookEndpoints1795865000000';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    const run = (sql: string) => queryRunner.query(sql);
    await run(
      `CREATE TABLE IF NOT EXISTS "webhook_endpoints" ("id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "url" text NOT NULL, "events" text array NOT NULL, "agent_ids" uuid array, "description" text NOT NULL DEFAULT '', "status" text NOT NULL DEFAULT 'ok', "status_since" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "paused_reason" text, "failures" integer NOT NULL DEFAULT 0, "probes" integer NOT NULL DEFAULT 0, "probe_at" TIMESTAMP(3) WITH TIME ZONE, "last_delivered_at" TIMESTAMP(3) WITH TIME ZONE, "last_error" text, "secret" text NOT NULL, "previous_secret" text, "previous_expires_at" TIMESTAMP(3) WITH TIME ZONE, "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
        CONSTRAINT "webhook_endpoints_status_known" CHECK (status IN ('ok', 'failing', 'paused', 'off')),
        CONSTRAINT "webhook_endpoints_failing_is_probed" CHECK ((status = 'failing') = (probe_at IS NOT NULL)),
        CONSTRAINT "webhook_endpoints_paused_has_reason" CHECK ((status = 'paused') = (paused_reason IS NOT NULL)),
        CONSTRAINT "webhook_endpoints_agents_not_empty" CHECK (agent_ids <> '{}'),
        CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id"),
        CONSTRAINT "webhook_endpoints_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE)`,
    );
    await run(
      `CREATE INDEX IF NOT EXISTS "webhook_endpoints_workspace_id_created_at_idx" ON "webhook_endpoints" ("workspace_id", "created_at")`,
    );
    await run(
      `CREATE TABLE IF NOT EXISTS "webhook_events" ("id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "conversation_id" uuid, "type" text NOT NULL, "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(), "data" jsonb NOT NULL, "traceparent" text,
        CONSTRAINT "webhook_events_pkey" PRIMARY KEY ("id"),
        CONSTRAINT "webhook_events_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE)`,
    );
    // Apart: servers of the last release lock calls and workspaces in another order.
    await run(
      `ALTER TABLE "webhook_events" DROP CONSTRAINT IF EXISTS "webhook_events_conversation_id_fkey",
       ADD CONSTRAINT "webhook_events_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE CASCADE`,
    );
    await run(
      `CREATE INDEX IF NOT EXISTS "webhook_events_conversation_id_idx" ON "webhook_events" ("conversation_id")`,
    );
    await run(
      `CREATE INDEX IF NOT EXISTS "webhook_events_created_at_idx" ON "webhook_events" ("created_at")`,
    );
    await run(
      `CREATE UNIQUE INDEX IF NOT EXISTS "webhook_events_start_once" ON "webhook_events" ("conversation_id") WHERE type = 'call.started'`,
    );
    await run(
      `ALTER TABLE "${DELIVERIES}" ADD COLUMN IF NOT EXISTS "event_id" uuid, ADD COLUMN IF NOT EXISTS "endpoint_id" uuid, ADD COLUMN IF NOT EXISTS "is_erased" boolean NOT NULL DEFAULT false, ALTER COLUMN "data" DROP NOT NULL,
        DROP CONSTRAINT IF EXISTS "webhook_deliveries_event_id_fkey",
        DROP CONSTRAINT IF EXISTS "webhook_deliveries_have_data",
        ADD CONSTRAINT "webhook_deliveries_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "webhook_events"("id") ON DELETE CASCADE NOT VALID,
        ADD CONSTRAINT "webhook_deliveries_have_data" CHECK (data IS NOT NULL OR event_id IS NOT NULL) NOT VALID`,
    );
    await run(`ALTER TABLE "${DELIVERIES}" VALIDATE CONSTRAINT "webhook_deliveries_event_id_fkey"`);
    await run(`ALTER TABLE "${DELIVERIES}" VALIDATE CONSTRAINT "webhook_deliveries_have_data"`);
    await allowStatuses(queryRunner, `'pending', 'held', 'delivered', 'failed'`);
    await run(
      `CREATE OR REPLACE TRIGGER "webhook_deliveries_forget_answers" AFTER UPDATE OF "data", "is_erased" ON "${DELIVERIES}"
       FOR EACH ROW WHEN (OLD.data IS DISTINCT FROM NEW.data OR OLD.is_erased <> NEW.is_erased) EXECUTE FUNCTION forget_answers_of_delivery()`,
    );
    await buildIndex(queryRunner, 'webhook_deliveries_event_id_idx', `"${DELIVERIES}" ("event_id")`);
    await buildIndex(
      queryRunner,
      'webhook_deliveries_of_endpoint',
      `"${DELIVERIES}" ("endpoint_id", "status", "sequence") WHERE endpoint_id IS NOT NULL AND NOT status = 'delivered'`,
    );
    await buildIndex(
      queryRunner,
      'webhook_deliveries_started_once',
      `"${DELIVERIES}" ("conversation_id") WHERE type = 'call.started' AND endpoint_id IS NULL`,
      { isUnique: true },
    );
    await run(`DROP INDEX IF EXISTS "webhook_deliveries_start_once"`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    const run = (sql: string) => queryRunner.query(sql);
    await run(`DELETE FROM "${DELIVERIES}" WHERE endpoint_id IS NOT NULL`);
    // An update of the data would make the deliveries forget the answers.
    await run(`DROP TRIGGER "webhook_deliveries_forget_answers" ON "${DELIVERIES}"`);
    await run(
      `UPDATE "${DELIVERIES}" AS delivery SET data = event.data, traceparent = event.traceparent
       FROM "webhook_events" AS event WHERE event.id = event_id AND delivery.data IS NULL`,
    );
    const [jobs] = (await run(`SELECT to_regnamespace('graphile_worker') AS schema`)) as [
      { schema: string | null },
    ];
    // The last release does not take the jobs of this one.
    if (jobs.schema !== null)
      await run(
        `SELECT graphile_worker.add_job('webhooks.deliver', json_build_object('workspaceId', workspace_id, 'orderingKey', ordering_key),
              run_at => min(next_attempt_at), max_attempts => 32767, flags => ARRAY[workspace_id::text])
       FROM "${DELIVERIES}" WHERE status = 'pending' AND event_id IS NOT NULL GROUP BY workspace_id, ordering_key`,
      );
    await run(
      `CREATE UNIQUE INDEX "webhook_deliveries_start_once" ON "${DELIVERIES}" ("conversation_id") WHERE type = 'call.started'`,
    );
    await run(
      `CREATE TRIGGER "webhook_deliveries_forget_answers" AFTER UPDATE OF "data" ON "${DELIVERIES}"
       FOR EACH ROW WHEN (OLD.data IS DISTINCT FROM NEW.data) EXECUTE FUNCTION forget_answers_of_delivery()`,
    );
    await run(
      `ALTER TABLE "${DELIVERIES}" DROP CONSTRAINT "webhook_deliveries_have_data", ALTER COLUMN "data" SET NOT NULL,
       DROP COLUMN "event_id", DROP COLUMN "endpoint_id", DROP COLUMN "is_erased"`,
    );
    await allowStatuses(queryRunner, `'pending', 'delivered', 'failed'`);
    await run(`DROP INDEX IF EXISTS "webhook_deliveries_started_once"`);
    await run(`DROP TABLE "webhook_events"`);
    await run(`DROP TABLE "webhook_endpoints"`);
  }
}
