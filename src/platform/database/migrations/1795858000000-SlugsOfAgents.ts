import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from '../build-index';

/** The rows that one statement changes. Requests that change one of them wait for its end. */
const BATCH = 500;

/**
 * A trigger gives each new agent its slug, because servers of the last release insert agents without one. An insert locks
 * the quota of agents, so two at once get different slugs. The migration gives slugs to the agents that exist. It has no
 * transaction, so that requests go on meanwhile, and each of its statements can be repeated.
 */
export class SlugsOfAgents1795858000000 implements MigrationInterface {
  name = 'SlugsOfAgents1795858000000';
  transaction = false;

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "agents" ADD COLUMN IF NOT EXISTS "slug" text, ADD COLUMN IF NOT EXISTS "updated_by" jsonb`,
    );
    const definition = '"agents" ("workspace_id", "slug") WHERE deleted_at IS NULL';
    await buildIndex(queryRunner, 'agents_workspace_id_slug_idx', definition, { isUnique: true });
    await queryRunner.query(String.raw`
            CREATE OR REPLACE FUNCTION begin_slug_of_agent(of_name text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
            DECLARE
                plain text := regexp_replace(normalize(of_name, NFKD), '[\u0300-\u036f]', '', 'g');
                words text := regexp_replace(lower(plain COLLATE "C"), '[^a-z0-9]+', '-', 'g');
            BEGIN
                RETURN COALESCE(NULLIF(btrim(left(btrim(words, '-'), 50), '-'), ''), 'agent');
            END
            $$
        `);
    await queryRunner.query(`
            CREATE OR REPLACE FUNCTION find_slug_of_agent(of_workspace uuid, of_name text) RETURNS text LANGUAGE plpgsql AS $$
            DECLARE
                beginning text := begin_slug_of_agent(of_name);
                found text := beginning;
            BEGIN
                FOR number IN 2 .. 1000000000 LOOP
                    EXIT WHEN NOT EXISTS (
                        SELECT FROM agents WHERE workspace_id = of_workspace AND slug = found AND deleted_at IS NULL);
                    found := beginning || '-' || number;
                END LOOP;
                RETURN found;
            END
            $$
        `);
    await queryRunner.query(`
            CREATE OR REPLACE FUNCTION give_slug_to_agent() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                NEW.slug := find_slug_of_agent(NEW.workspace_id, NEW.name);
                RETURN NEW;
            END
            $$
        `);
    await queryRunner.query(
      `CREATE OR REPLACE TRIGGER "agents_give_slug" BEFORE INSERT ON "agents"
       FOR EACH ROW WHEN (NEW.slug IS NULL) EXECUTE FUNCTION give_slug_to_agent()`,
    );
    await queryRunner.query(`
            CREATE OR REPLACE FUNCTION give_slugs_to_agents(of_workspace uuid) RETURNS integer LANGUAGE plpgsql AS $$
            DECLARE
                agent record;
                beginning text;
                found text;
                number integer;
                numbers jsonb := '{}';
                given integer := 0;
            BEGIN
                PERFORM pg_advisory_xact_lock(hashtextextended('quota agents of ' || of_workspace, 0));
                FOR agent IN
                    SELECT id, name FROM agents WHERE workspace_id = of_workspace AND slug IS NULL AND deleted_at IS NULL
                    ORDER BY created_at, id LIMIT ${BATCH}
                LOOP
                    beginning := begin_slug_of_agent(agent.name);
                    found := beginning;
                    -- Others of the name do not begin to search at 2 again.
                    number := COALESCE((numbers ->> beginning)::integer, 2);
                    WHILE EXISTS (
                        SELECT FROM agents WHERE workspace_id = of_workspace AND slug = found AND deleted_at IS NULL)
                    LOOP
                        found := beginning || '-' || number;
                        number := number + 1;
                    END LOOP;
                    numbers := jsonb_set(numbers, ARRAY[beginning], to_jsonb(number));
                    UPDATE agents SET slug = found WHERE id = agent.id;
                    given := given + 1;
                END LOOP;
                RETURN given;
            END
            $$
        `);
    for (const workspaceId of await listWorkspaces(queryRunner))
      await repeat(queryRunner, `SELECT give_slugs_to_agents('${workspaceId}') AS count`);
    // A deleted agent is not found by its slug, so all of them have the same one.
    await repeat(
      queryRunner,
      `WITH given AS (
         UPDATE agents SET slug = 'deleted'
         WHERE id IN (SELECT id FROM agents WHERE slug IS NULL AND deleted_at IS NOT NULL LIMIT ${BATCH})
         RETURNING id
       )
       SELECT count(*)::int AS count FROM given`,
    );
    await queryRunner.query(`DROP FUNCTION give_slugs_to_agents(uuid)`);
    // With a valid check, Postgres does not read the rows while it holds the lock.
    const check = 'agents_slug_given';
    await queryRunner.query(
      `ALTER TABLE "agents" DROP CONSTRAINT IF EXISTS "${check}",
       ADD CONSTRAINT "${check}" CHECK ("slug" IS NOT NULL) NOT VALID`,
    );
    await queryRunner.query(`ALTER TABLE "agents" VALIDATE CONSTRAINT "${check}"`);
    await queryRunner.query(`ALTER TABLE "agents" ALTER COLUMN "slug" SET NOT NULL`);
    await queryRunner.query(`ALTER TABLE "agents" DROP CONSTRAINT "${check}"`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER "agents_give_slug" ON "agents"`);
    await queryRunner.query(`DROP FUNCTION give_slug_to_agent()`);
    await queryRunner.query(`DROP FUNCTION find_slug_of_agent(uuid, text)`);
    await queryRunner.query(`DROP FUNCTION begin_slug_of_agent(text)`);
    await queryRunner.query(`ALTER TABLE "agents" DROP COLUMN "slug", DROP COLUMN "updated_by"`);
  }
}

async function listWorkspaces(runner: QueryRunner): Promise<string[]> {
  const rows = (await runner.query(
    'SELECT DISTINCT workspace_id AS id FROM agents WHERE slug IS NULL AND deleted_at IS NULL',
  )) as { id: string }[];
  return rows.map(({ id }) => id);
}

/** Repeats a statement until it has changed nothing. */
async function repeat(runner: QueryRunner, statement: string): Promise<void> {
  for (let left = BATCH; left > 0;) {
    const [{ count }] = (await runner.query(statement)) as [{ count: number }];
    left = count;
  }
}
