import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A trigger gives a new agent its slug, because the last release inserts agents too, and knows no slugs. Whoever inserts
 * one holds the quota of agents, so two at once get different slugs. Those that exist get theirs here.
 */
export class SlugsOfAgents1795858000000 implements MigrationInterface {
  name = 'SlugsOfAgents1795858000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "agents" ADD "slug" text, ADD "updated_by" jsonb`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX "agents_workspace_id_slug_idx" ON "agents" ("workspace_id", "slug") WHERE deleted_at IS NULL`,
    );
    await queryRunner.query(String.raw`
            CREATE FUNCTION find_slug_of_agent(of_workspace uuid, of_name text) RETURNS text LANGUAGE plpgsql AS $$
            DECLARE
                plain text := regexp_replace(normalize(of_name, NFKD), '[\u0300-\u036f]', '', 'g');
                words text := regexp_replace(lower(plain COLLATE "C"), '[^a-z0-9]+', '-', 'g');
                beginning text := COALESCE(NULLIF(btrim(left(btrim(words, '-'), 50), '-'), ''), 'agent');
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
            CREATE FUNCTION give_slug_to_agent() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                NEW.slug := find_slug_of_agent(NEW.workspace_id, NEW.name);
                RETURN NEW;
            END
            $$
        `);
    await queryRunner.query(
      `CREATE TRIGGER "agents_give_slug" BEFORE INSERT ON "agents"
       FOR EACH ROW WHEN (NEW.slug IS NULL) EXECUTE FUNCTION give_slug_to_agent()`,
    );
    await queryRunner.query(`
            DO $$
            DECLARE
                agent record;
            BEGIN
                -- Nobody finds a deleted agent by its slug, and there may be many of them.
                UPDATE agents SET slug = 'deleted' WHERE deleted_at IS NOT NULL;
                FOR agent IN SELECT id, workspace_id, name FROM agents WHERE slug IS NULL ORDER BY created_at, id LOOP
                    UPDATE agents SET slug = find_slug_of_agent(agent.workspace_id, agent.name) WHERE id = agent.id;
                END LOOP;
            END
            $$
        `);
    await queryRunner.query(`ALTER TABLE "agents" ALTER COLUMN "slug" SET NOT NULL`);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER "agents_give_slug" ON "agents"`);
    await queryRunner.query(`DROP FUNCTION give_slug_to_agent()`);
    await queryRunner.query(`DROP FUNCTION find_slug_of_agent(uuid, text)`);
    await queryRunner.query(`ALTER TABLE "agents" DROP COLUMN "slug", DROP COLUMN "updated_by"`);
  }
}
